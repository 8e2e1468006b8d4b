/**
 * Which tests `npm run check -- --changed` runs for a changed path: those of the first row whose pattern matches. They
 * are files or folders from the root of the repository; `everything` means all tests. CI always runs everything, so a
 * row lists what most likely breaks, not all that could.
 */
export const everything = 'everything'

/** Tests that iterate over all procedures: bad input, REST routes, permissions. */
const procedureGuards = [
  'apps/api/test/http/rest',
  'apps/api/test/security/callers.test.ts',
  'apps/api/test/validation/bad-input.test.ts',
]

/** The guards of docs/guides/add-a-procedure.md that look at a procedure, or at who may call it. */
const accessGuards = [
  ...procedureGuards,
  'apps/api/test/account/keys/api-keys.test.ts',
  'apps/api/test/accounts/account-status.test.ts',
  'apps/api/test/security/answers.test.ts',
  'apps/api/test/security/dangerous-acts.test.ts',
  'apps/api/test/tokens/hidden-tokens.test.ts',
  'apps/api/test/validation/known-properties.test.ts',
  'apps/web/test/api/current-user.test.ts',
  'packages/client/test/client.test.ts',
]

/** The guards of that guide that look at a table. */
const tableGuards = [
  'apps/api/test/account/deletion/deletion.test.ts',
  'apps/api/test/account/deletion/personal-tables.test.ts',
  'apps/api/test/upgrade/upgrade.test.ts',
  'packages/db/test',
  'scripts/test/docs/security.test.mjs',
]

/** Browser tests of each web feature's screens. */
const screens = {
  auth: ['account/auth'],
  chart: ['chart/chart', 'shell/first-calls'],
  docs: ['account/spec-account'],
  home: ['home/home', 'shell/first-calls'],
  launch: ['market/whole-way'],
  leaderboard: ['leaderboard/leaderboard', 'shell/first-calls'],
  portfolio: ['portfolio/portfolio', 'shell/touch'],
  proof: ['proof/proof'],
  settings: ['account/settings'],
  tape: ['tape/tape'],
  shell: ['shell/spec-shell'],
  tokens: ['market/token', 'shell/first-calls'],
  trading: ['market/token', 'market/whole-way'],
  users: ['portfolio/profile'],
}
const toSpecs = (names) => names.map((name) => `apps/e2e/tests/${name}.spec.ts`)
const webTests = (feature) => [
  'apps/web/test',
  ...toSpecs(screens[feature] ?? ['market/whole-way', 'shell/spec-shell']),
]

/** Test folders of API features, where they differ from the feature's name. */
const featureTests = {
  live: ['apps/api/test/live', 'apps/api/test/events'],
  account: ['apps/api/test/account', 'apps/api/test/security'],
  share: ['apps/api/test/http/pages'],
  site: ['apps/api/test/http/http.test.ts'],
  trading: ['apps/api/test/trading', 'packages/engine/test'],
}

const listFeatureTests = (feature) => featureTests[feature] ?? [`apps/api/test/${feature}`]

/** Tests per package: its own, and those of its main user. */
const packageTests = {
  amm: ['packages/amm/test', 'packages/engine/test', 'packages/bots/test'],
  bots: ['packages/bots/test', 'apps/bench/test', 'apps/api/test/house'],
  chain: ['packages/chain/test', 'apps/api/test/proof'],
  client: ['packages/client/test', 'packages/mcp/test'],
  contract: ['packages/contract/test', ...accessGuards],
  db: ['packages/db/test', 'packages/engine/test'],
  engine: ['packages/engine/test', 'apps/api/test/trading'],
  format: ['packages/format/test', 'apps/web/test'],
  generators: ['apps/api/test/http/rest/openapi.test.ts'],
  live: ['packages/live/test', 'apps/api/test/live', 'apps/api/test/events', 'apps/web/test'],
}

export const testMap = [
  { pattern: /^(docs\/.+|[^/]+\.md)$/, tests: () => ['scripts/test/docs'] },
  { pattern: /^deploy\//, tests: () => ['apps/api/test/config'] },
  { pattern: /^\.changeset\//, tests: () => ['scripts/test/changelog.test.mjs'] },
  { pattern: /^(.+\.(?:test|spec)\.(?:tsx?|mjs))$/, tests: (file) => [file] },
  { pattern: /^packages\/db\/src\/(?:migrations\/|schema\.ts$)/, tests: () => [...packageTests.db, ...tableGuards] },
  // `npm run generators` tests it.
  { pattern: /^clients\/python\//, tests: () => [] },
  { pattern: /^scripts\/build-package\.mjs$/, tests: () => ['packages/mcp/test'] },
  {
    pattern: /^packages\/([^/]+)\/(?:src|build|test)\//,
    tests: (name) => packageTests[name] ?? [`packages/${name}/test`],
  },
  {
    pattern: /^apps\/api\/src\/features\/([^/]+)\/router\.ts$/,
    tests: (feature) => [...listFeatureTests(feature), ...accessGuards],
  },
  { pattern: /^apps\/api\/(?:src\/(?:router|trpc)|test\/support\/bad-input)\.ts$/, tests: () => accessGuards },
  {
    pattern: /^apps\/api\/src\/features\/([^/]+)\//,
    tests: (feature) => [...listFeatureTests(feature), ...procedureGuards],
  },
  {
    pattern: /^apps\/api\/src\/(audit|cache|commands|config|house|http|live|security|uploads|validation)[/.]/,
    tests: (folder) => [`apps/api/test/${folder}`, ...procedureGuards],
  },
  { pattern: /^apps\/api\/src\/events\//, tests: () => ['apps/api/test/events', 'apps/api/test/http/sockets'] },
  {
    pattern: /^apps\/api\/src\/accounts\//,
    tests: () => ['apps/api/test/accounts', 'apps/api/test/account', 'apps/api/test/notices'],
  },
  {
    pattern: /^apps\/api\/src\/holdings\//,
    tests: () => ['apps/api/test/portfolio', 'apps/api/test/leaderboard'],
  },
  { pattern: /^apps\/api\/src\/storage\//, tests: () => ['apps/api/test/uploads'] },
  { pattern: /^apps\/api\/src\//, tests: () => ['apps/api/test/http', ...procedureGuards] },
  { pattern: /^apps\/api\/test(?:ing)?\/([^/]+)\//, tests: () => ['apps/api/test'] },
  { pattern: /^apps\/web\/src\/features\/([^/]+)\//, tests: webTests },
  { pattern: /^apps\/web\/(?:src|build|public|test|index\.html)/, tests: () => webTests() },
  { pattern: /^apps\/e2e\/(?:support|tests|shots|film)\//, tests: () => webTests() },
  { pattern: /^apps\/bench\/(?:src|test)\//, tests: () => ['apps/bench/test'] },
  {
    pattern: /^(?:scripts|\.github|\.ci|\.vscode)\/|^(?:Dockerfile|docker-compose\.yml|\.env\.example)$/,
    tests: () => ['scripts/test'],
  },
  {
    pattern: /^(?:LICENSE|NOTICE|\.editorconfig|\.gitignore|\.dockerignore|knip\.json|(?:.+\/)?biome\.json)$/,
    tests: () => [],
  },
  { pattern: /./, tests: () => [everything] },
]

/** Tests for these paths, without duplicates; `everything` alone if one path needs it. */
export function selectTests(paths) {
  const selected = new Set(paths.flatMap((path) => selectFor(path)))
  return selected.has(everything) ? [everything] : [...selected].sort()
}

function selectFor(path) {
  for (const { pattern, tests } of testMap) {
    const match = pattern.exec(path)
    if (match) return tests(match[1])
  }
  return []
}
