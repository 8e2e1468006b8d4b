// @module-tag nightly
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { root, workspacePackages } from '../lib/project.mjs'

const AWAY = '127.0.0.1:1'
const ours = new Map(workspacePackages().map((it) => [it.manifest.name, it]))

let folder
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'papermoon-product-'))
  const parts = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', 'scripts', 'apps/api', 'packages']
  const manifests = [...ours.values()].map((it) => join(relative(root, it.folder), 'package.json'))
  const filter = (path) => !/\/(node_modules|dist|test|test-results|\.turbo)$/.test(path)
  for (const part of [...parts, ...manifests]) cpSync(join(root, part), join(folder, part), { recursive: true, filter })
  for (const app of ['.', 'apps/web']) mkdirSync(join(folder, app, 'node_modules'))
  linkProduction('@papermoon/api')
  // Write the stamp that `npm start` leaves after an install of the product.
  const { computeFingerprint } = await import(pathToFileURL(join(folder, 'scripts/lib/install.mjs')).href)
  writeFileSync(join(folder, 'node_modules/.papermoon-install'), `product ${computeFingerprint()}`)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Links what a package and our packages that it depends on need to run, without development tools. */
function linkProduction(name, seen = new Set()) {
  if (seen.has(name)) return
  seen.add(name)
  const { folder: source, manifest } = ours.get(name)
  const modules = join(folder, relative(root, source), 'node_modules')
  for (const wanted of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    const own = ours.get(wanted)
    const target = own ? join(folder, relative(root, own.folder)) : findInstalled(join(source, 'node_modules', wanted))
    if (target === null) continue
    mkdirSync(dirname(join(modules, wanted)), { recursive: true })
    symlinkSync(target, join(modules, wanted))
    if (own) linkProduction(wanted, seen)
  }
}

/** Returns the path of an installed package, or null for an optional package of another platform. */
function findInstalled(path) {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

/** Runs a program without npm, npx or anything else on the PATH. */
function run(program, args, env = {}) {
  const data = { DATA_DIR: join(folder, '.data'), DATABASE_URL: `postgres://${AWAY}/x` }
  const options = { cwd: folder, env: { PATH: '/nowhere', ...data, ...env } }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [join(folder, program), ...args], options, (_, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr }),
    )
  })
}

const away = { status: 2, stdout: '', stderr: expect.stringMatching(/^Could not reach the database: /) }
const none = { status: 2, stdout: '', stderr: expect.stringMatching(/^There is no complete backup in /) }
const done = { status: 0, stderr: '' }
const doctor = { status: 1, stderr: '', stdout: expect.stringMatching(/\nFound 4 problems\.\n$/) }
const s3 = { S3_URL: `http://key:secret@${AWAY}/papermoon` }

it('every command runs with what npm start installed, and installs nothing', async () => {
  const program = 'apps/api/src/papermoon.ts'
  const ends = await Promise.all([
    run(program, ['audit']),
    run(program, ['admin', 'warn', 'ada', 'Hello']),
    run(program, ['backup', join(folder, 'backups')]),
    run(program, ['upgrade']),
    run(program, ['restore', join(folder, 'none')], { DATABASE_URL: '' }),
    run(program, ['start', '--help']),
    run(program, ['doctor'], { ...s3, SMTP_URL: `smtp://${AWAY}`, REDIS_URL: `redis://${AWAY}` }),
    // `scripts/papermoon.mjs` passes its arguments on to the program.
    run('scripts/papermoon.mjs', ['config']),
  ])
  expect(ends).toMatchObject([away, away, away, away, none, done, doctor, done])
})
