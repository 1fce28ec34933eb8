# syntax=docker/dockerfile:1

ARG NODE_VERSION=24
ARG DEBIAN_RELEASE=bookworm

FROM node:${NODE_VERSION}-${DEBIAN_RELEASE}-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY apps/docs/package.json ./apps/docs/
COPY apps/web/package.json ./apps/web/
COPY tools/package.json ./tools/
RUN --mount=type=cache,target=/root/.npm npm ci --workspaces --workspace apps/docs --workspace apps/web --include-workspace-root --no-audit --no-fund
COPY ormconfig.ts tsconfig.json openapi.json ./
COPY scripts ./scripts
COPY libs ./libs
COPY apps ./apps
COPY docs ./docs
COPY README.md CHANGELOG.md SECURITY.md ARCHITECTURE.md CONTRIBUTING.md LICENSE ./
COPY packages/client/README.md ./packages/client/README.md
COPY packages/webhooks/README.md ./packages/webhooks/README.md
COPY packages/cli/README.md ./packages/cli/README.md
COPY packages/python/README.md ./packages/python/README.md
COPY packages/go/README.md ./packages/go/README.md
# The commit that the service reports. The build has no Git history.
ARG COMMIT=unknown
RUN npm run packages:server
WORKDIR /app/dist/server-package
# The embedded PostgreSQL (60 MB) is for trying the service; with NODE_ENV=production DATABASE_URL must be set.
RUN --mount=type=cache,target=/root/.npm npm pkg delete optionalDependencies && npm install --no-audit --no-fund

# Node alone, without npm and yarn: nothing is installed here any more.
FROM debian:${DEBIAN_RELEASE}-slim
ARG VERSION=0.1.0
ARG COMMIT=unknown
LABEL org.opencontainers.image.title="identity-service" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${COMMIT}" \
  org.opencontainers.image.description="Self-hosted identity and access management" \
  org.opencontainers.image.licenses="MIT"
COPY --from=build /usr/local/bin/node /usr/local/bin/node
WORKDIR /app
COPY --from=build /app/dist/server-package ./
# Health checks and metrics have a port of their own, which no proxy publishes.
ENV NODE_ENV=production ROLE=all PORT=3000 MONITORING_PORT=9464
EXPOSE 3000 9464
# By number, so that Kubernetes can tell that it is not root. It owns no file here: nothing is ever written.
USER 10001:10001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.MONITORING_PORT}/health/live`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# No shell and no init in between: the service itself handles SIGTERM and SIGINT, and starts no processes but its own (WORKERS).
ENTRYPOINT ["node", "dist/server/main.js"]
