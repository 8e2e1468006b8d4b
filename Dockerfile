# The server with the built web app. Without DATABASE_URL it runs on an embedded PostgreSQL under /data.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json ./
RUN npm install --global "$(node -p "require('./package.json').packageManager")"
COPY pnpm-lock.yaml pnpm-workspace.yaml ./
COPY packages/amm/package.json packages/amm/
COPY packages/chain/package.json packages/chain/
COPY packages/client/package.json packages/client/
COPY packages/contract/package.json packages/contract/
COPY packages/db/package.json packages/db/
COPY packages/engine/package.json packages/engine/
COPY packages/format/package.json packages/format/
COPY packages/generators/package.json packages/generators/
COPY packages/guide/package.json packages/guide/
COPY packages/bots/package.json packages/bots/
COPY packages/live/package.json packages/live/
COPY packages/mcp/package.json packages/mcp/
COPY apps/api/package.json apps/api/
COPY apps/web/package.json apps/web/
COPY apps/e2e/package.json apps/e2e/
COPY apps/bench/package.json apps/bench/
COPY scripts/package.json scripts/
RUN pnpm install --frozen-lockfile
COPY . .
RUN pnpm --filter @papermoon/web build
# Shown by papermoon_build_info: docker build --build-arg COMMIT=$(git rev-parse HEAD) .
ARG COMMIT=
RUN echo "$COMMIT" > commit
# What runs needs neither tools nor the web app's sources.
RUN rm -rf node_modules apps/*/node_modules packages/*/node_modules scripts/node_modules \
  && pnpm install --frozen-lockfile --prod --filter @papermoon/api... \
  && rm -rf apps/web/src apps/e2e apps/bench scripts

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=build /app ./
# docker compose exec api papermoon doctor
RUN ln -s /app/apps/api/src/papermoon.ts /usr/local/bin/papermoon
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=64", "--min-semi-space-size=32", "apps/api/src/server.ts"]
