import { globSync, readFileSync } from 'node:fs'
import { dirname, join, matchesGlob } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { root } from '../lib/project.mjs'

const read = (file) => readFileSync(join(root, file), 'utf8')
const workflows = ['.github/workflows/ci.yml', '.github/workflows/nightly.yml']
const files = [...workflows, '.github/actions/setup/action.yml']
const [{ jobs }, nightly] = workflows.map((file) => parse(read(file)))
const allJobs = { ...jobs, ...nightly.jobs }

describe('the workflow of CI', () => {
  it.each(files)('pins every action of %s by its commit, and names the version', (file) => {
    const uses = read(file)
      .split('\n')
      .filter((line) => /\buses:/.test(line) && !/uses: \.\//.test(line))
    expect(uses.length).toBeGreaterThan(0)
    expect(uses.filter((line) => !/uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
  })

  it('runs every part of the nightly run in its own job', () => {
    const parts = [...read('scripts/nightly.mjs').matchAll(/^ {2}(\w+): '/gm)].map(([, name]) => name)
    expect(parts.length).toBeGreaterThan(3)
    expect(nightly.jobs.part.strategy.matrix.part).toEqual(parts)
  })

  it('limits the time of every job', () => {
    expect(Object.entries(allJobs).filter(([, job]) => !(job['timeout-minutes'] <= 45))).toEqual([])
  })

  it('uses random inputs only at night', () => {
    expect(nightly.on.schedule).toHaveLength(1)
    expect(read('scripts/nightly.mjs')).toContain('TEST_SEED=random')
    expect(read('.github/workflows/ci.yml')).not.toContain('TEST_SEED')
    expect(read('.ci/run')).not.toContain('TEST_SEED')
  })
})

describe('new versions', () => {
  const { updates } = parse(read('.github/dependabot.yml'))
  const { minimumReleaseAge } = parse(read('pnpm-workspace.yaml'))
  const ecosystem = (name) => updates.find((update) => update['package-ecosystem'] === name)
  /** Returns whether dependabot checks a file's folder. */
  const isWatched = (name, file) =>
    ecosystem(name).directories.some((glob) => matchesGlob(join('/', dirname(file)), glob))

  it('enter the lockfile three days after their publication, and are not proposed earlier', () => {
    const days = minimumReleaseAge / (24 * 60)
    expect(days).toBeGreaterThanOrEqual(3)
    expect(ecosystem('npm').cooldown['default-days']).toBe(days)
  })

  it.each([
    ['docker', '**/Dockerfile'],
    ['docker-compose', '{docker-compose,deploy/compose}.yml'],
    ['github-actions', '.github/actions/*/action.yml'],
  ])('are proposed for every file of %s', (name, pattern) => {
    const found = globSync(pattern, { cwd: root, exclude: (file) => /node_modules/.test(file) })
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter((file) => !isWatched(name, file))).toEqual([])
  })
})

describe('.env.example', () => {
  const lines = (text) =>
    text
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line))
      .sort()

  it('has every variable of docker-compose.yml with its default', () => {
    const variables = [...read('docker-compose.yml').matchAll(/\$\{(\w+):(?:-([^}]*)|\?[^}]+)\}/g)]
    const wanted = new Set(variables.map(([, name, fallback = '']) => `${name}=${fallback}`))
    expect(lines(read('.env.example'))).toEqual([...wanted].sort())
  })
})
