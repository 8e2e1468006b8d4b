/** Faults of transports: other origins, hosts, caches of answers, and what a reader has seen. */
const sameOrigin = ['apps/api/test/http/security/same-origin.test.ts']
const otherSites = ['apps/api/test/security/dangerous-acts.test.ts']
const openReads = ['apps/api/test/http/security/open-reads.test.ts']
const answerCache = ['apps/api/test/http/calls/response-cache.test.ts']
const entry = ['apps/api/test/cache/cache-entry.test.ts']
const queryCache = ['apps/api/test/cache/query-cache.test.ts']
const nodes = ['apps/api/test/http/several-nodes.test.ts']
const feed = ['apps/api/test/events/live-feed.test.ts']

export const faults = [
  {
    title: 'queries by POST are refused',
    file: 'apps/api/src/http/trpc/mount.ts',
    from: "isQuery || procedures.get(path)?.type === 'query'",
    to: 'isQuery',
    tests: ['apps/api/test/http/trpc/trpc.test.ts'],
    fix: '34112314',
  },
  {
    title: 'calls of unknown procedures cost nothing',
    file: 'apps/api/src/http/trpc/mount.ts',
    from: "await ctx.app.accounts.limits.spend(ctx, 'read')",
    to: '',
    tests: ['apps/api/test/http/trpc/trpc.test.ts', 'apps/api/test/http/rate-limits.test.ts'],
  },
  {
    title: 'a call without an input is refused',
    file: 'apps/api/src/trpc.ts',
    from: 'given === undefined ? {} : given',
    to: 'given',
    tests: ['apps/api/test/validation/bad-input.test.ts', 'apps/api/test/http/trpc/trpc.test.ts'],
    fix: 'dfb05a79',
  },
  {
    title: 'pages of other sites write',
    file: 'apps/api/src/http/security/security.ts',
    from: 'if (isWrite && !hasKey(request)) refuseOtherOrigins(request)',
    to: '',
    tests: otherSites,
  },
  {
    title: 'sockets of other sites are opened',
    file: 'apps/api/src/http/security/security.ts',
    from: ' || (isUpgrade(request) && !isOpen(request))',
    to: '',
    tests: otherSites,
  },
  {
    title: 'the scheme of an origin does not matter',
    file: 'apps/api/src/http/security/security.ts',
    from: 'if (scheme !== null && sender.protocol !== `${scheme}:`) throw new CrossOriginError()',
    to: '',
    tests: sameOrigin,
  },
  {
    title: 'every host is served',
    file: 'apps/api/src/http/security/security.ts',
    from: 'assertAllowedHost(request, allowedHosts)\n',
    to: '\n',
    tests: ['apps/api/test/http/security/security-headers.test.ts', 'apps/api/test/http/pages/pages-by-host.test.ts'],
  },
  {
    title: 'other sites read what is private',
    file: 'apps/api/src/http/security/security.ts',
    from: 'if (!isOpen(request) && !(hasKey(request) && CALLS.test(request.url))) return',
    to: '',
    tests: openReads,
  },
  {
    title: 'answers of one caller are sent to others',
    file: 'apps/api/src/http/calls/response-cache.ts',
    from: 'request.headers.authorization === undefined && !isMarked',
    to: '!isMarked',
    tests: [...answerCache, 'apps/api/test/http/calls/etags.test.ts'],
  },
  {
    title: 'cached answers outlive their value',
    file: 'apps/api/src/http/calls/response-cache.ts',
    from: 'if (this.#app.market.queryCache.peek(answer.handle) === answer.value) return answer',
    to: 'return answer',
    tests: answerCache,
  },
  {
    title: 'a request without a host gets a cached answer',
    file: 'apps/api/src/http/calls/response-cache.ts',
    from: ' || host === undefined',
    to: '',
    tests: ['apps/api/test/http/security/security-headers.test.ts'],
    fix: 'b100e2b2',
  },
  {
    title: 'a cached value lacks an event that arrived before',
    file: 'apps/api/src/cache/cache-entry.ts',
    from: 'return result !== null && !isBefore(result, wanted) &&',
    to: 'return result !== null &&',
    tests: entry,
  },
  {
    title: 'an older read replaces a newer one',
    file: 'apps/api/src/cache/cache-entry.ts',
    from: "const isLate = 'result' in this.#state && result.turn < this.#state.result.turn",
    to: 'const isLate = false',
    tests: entry,
  },
  {
    title: 'a read of before an invalidation counts as current',
    file: 'apps/api/src/cache/cache-entry.ts',
    from: "result.epoch === this.#epoch ? 'current' : 'outdated'",
    to: "'current'",
    tests: entry,
  },
  {
    title: 'a hidden token stays in cached answers',
    file: 'apps/api/src/cache/query-cache.ts',
    from: '    this.#visibility = visibility\n    this.invalidateAll()',
    to: '    this.#visibility = visibility',
    tests: [...queryCache, 'apps/api/test/tokens/hidden-tokens.test.ts'],
  },
  {
    title: 'a value is patched while the feed has a gap',
    file: 'apps/api/src/cache/query-cache.ts',
    from: 'if (this.#isBehind(scope)) entry.invalidate()',
    to: '',
    tests: queryCache,
  },
  {
    title: 'an answer from a failing database does not say its age',
    file: 'apps/api/src/cache/query-cache.ts',
    from: 'this.#staleSinceMs.set(value, last.atMs)',
    to: '',
    tests: ['apps/api/test/cache/stale-fallback.test.ts'],
  },
  {
    title: 'an event is delivered twice',
    file: 'apps/api/src/events/live-feed.ts',
    from: 'if (placed.place <= this.#position) continue',
    to: '',
    tests: feed,
  },
  {
    title: 'a hidden token is noticed late',
    file: 'apps/api/src/events/live-feed.ts',
    from: '    this.#hidden = new Set(tokenIds)\n    this.#visibility++',
    to: '    this.#hidden = new Set(tokenIds)',
    tests: [...feed, 'apps/api/test/tokens/hidden-tokens.test.ts'],
  },
  {
    title: 'a reader misses what they did at another node',
    file: 'apps/api/src/http/calls/seen.ts',
    from: 'await Promise.all(markets.map((market) => catchUpWithSeen(market, market.seen)))',
    to: 'markets.map(() => true)',
    tests: nodes,
  },
  {
    title: 'made-up claims of what was seen cost nothing',
    file: 'apps/api/src/http/calls/seen.ts',
    from: "await app.accounts.limits.spend({ ip: request.ip, header }, 'read')",
    to: 'void header',
    tests: nodes,
  },
  {
    title: 'pages of data lack the header against sniffing',
    file: 'apps/api/src/http/create-fastify.ts',
    from: "  'referrer-policy': 'no-referrer',\n  'x-content-type-options': 'nosniff',",
    to: "  'referrer-policy': 'no-referrer',",
    tests: ['apps/api/test/http/security/security-headers.test.ts'],
  },
]
