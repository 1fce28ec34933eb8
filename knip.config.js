/** Finds exports and files that nothing uses: https://knip.dev */
export default {
  include: ['files', 'exports', 'types', 'duplicates'],
  ignoreExportsUsedInFile: true,
  // The templates of `npm run add:resource` use what only new resources call.
  compilers: { txt: (source) => source },
  workspaces: {
    '.': {
      entry: [
        'apps/server/src/main.ts',
        'ormconfig.ts',
        'libs/platform/database/src/migrations/*.ts',
        'packages/*/src/{index,main,express,fastify,nest}.ts',
        '{bench,scripts}/*.mjs',
        'bench/peers/*-server.mjs',
        'scripts/resource/documents.mjs',
        'scripts/resource/templates/**/*.ts.txt',
        'examples/**/*',
        'test/**/*.mjs',
        'test/**/*-process.ts',
        'test/guards/guards.ts',
        '{apps/server,libs,test}/**/*.spec.ts',
      ],
      project: ['ormconfig.ts', '{apps/server,bench,examples,libs,packages,scripts,test}/**/*.{ts,mjs}'],
      ignore: ['test/generators/*/main.ts'],
      paths: Object.fromEntries(
        ['platform', 'directory', 'webhooks', 'identity'].map((area) => [`#${area}/*`, [`libs/${area}/*/src/index.ts`]]),
      ),
    },
    'apps/docs': { project: [] },
    'apps/web': { entry: ['src/account/sign-in/main.tsx', 'src/**/*.spec.{ts,tsx}'], project: ['src/**/*.{ts,tsx}'] },
  },
};
