# One image for every part: `docker run atrium` is all in one, `… atrium api`, `… atrium vault`, `… atrium vector-db` one alone.
#
#   docker build -t atrium .
#   docker run --read-only --tmpfs /tmp -v atrium:/data -p 4000:4000 --cap-drop ALL --security-opt no-new-privileges atrium
#
# All that it writes is below /data and /tmp.
ARG NODE_IMAGE=docker.io/library/node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
ARG BASE_IMAGE=docker.io/library/debian:bookworm-20261005-slim@sha256:7c7b2c966bc9ee8cedfeef67e0e279108992c77681fa595db4a9d65c06ccc587

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No dependency needs a script of its own to be installed, so none may run one.
RUN npm ci --ignore-scripts --no-audit
COPY . .
RUN npm run build
# The modules get a layer of their own, which changes with the dependencies alone.
RUN node deploy/prune-dependencies.ts /app/node_modules \
 && rm -rf src/console/web src/build deploy package-lock.json .npmrc prisma.config.ts tsconfig.json \
 && mkdir /modules && mv node_modules /modules/

# Without npm, and without whatever else comes along with it.
FROM ${BASE_IMAGE}
ARG VERSION=0.1.0
LABEL org.opencontainers.image.title="Atrium" \
      org.opencontainers.image.description="The backend of an AI-assistant platform" \
      org.opencontainers.image.version="${VERSION}"
COPY --from=build /usr/local/bin/node /usr/local/bin/node
# A number, for Kubernetes cannot tell whether a name is root.
RUN mkdir /data && chown 10001:10001 /data
WORKDIR /app
COPY --from=build /modules/node_modules node_modules
COPY --from=build /app ./
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data LOG_FORMAT=json
# Otherwise glibc keeps most of what LanceDB has freed (decision D195). `npm start` has the same values.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072
USER 10001:10001
VOLUME /data
EXPOSE 4000 4100 4200
STOPSIGNAL SIGTERM
# The API is asked whether it is ready; a part that runs alone names itself after the command.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "src/commands/check-health.ts"]
# Node itself is the first process: the signal to stop reaches it.
ENTRYPOINT ["node", "--max-semi-space-size=64", "src/generated/server/main.mjs"]
