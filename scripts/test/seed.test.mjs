import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { root, workspacePackages } from '../lib/project.mjs'
import { chooseSeed } from '../lib/tests/seed.mjs'

const setup = 'scripts/lib/tests/property-seed.mjs'

describe('the seed of the property tests', () => {
  it('is the same in every normal run', () => {
    expect(chooseSeed(undefined)).toBe(chooseSeed(''))
    expect(chooseSeed(undefined)).toBe(chooseSeed(undefined))
  })

  it('is the number of TEST_SEED, or another one each time', () => {
    expect(['7', '-7', '0'].map(chooseSeed)).toEqual([7, -7, 0])
    const drawn = Array.from({ length: 20 }, () => chooseSeed('random'))
    expect(new Set(drawn).size).toBeGreaterThan(1)
    expect(drawn.map((seed) => chooseSeed(String(seed)))).toEqual(drawn)
  })

  it.each(['seven', '1.5', '4294967296', ' '])('is refused as "%s"', (text) => {
    expect(() => chooseSeed(text)).toThrow('TEST_SEED')
  })

  it('repeats the inputs of fast-check', () => {
    const draw = () => fc.sample(fc.bigInt(), 20)
    expect(draw()).toEqual(draw())
    expect(draw()).toEqual(fc.sample(fc.bigInt(), { numRuns: 20, seed: chooseSeed(process.env.TEST_SEED) }))
  })

  it('is set in every configuration that runs property tests', () => {
    const users = workspacePackages().filter(({ manifest }) => manifest.devDependencies?.['fast-check'])
    expect(users.length).toBeGreaterThan(5)
    const configs = users.flatMap(({ folder }) =>
      globSync('vitest.config.{ts,mjs}', { cwd: folder }).map((name) => join(folder, name)),
    )
    const read = (path) => /setupFiles: \[?'([^']+)'/.exec(readFileSync(path, 'utf8'))?.[1] ?? ''
    expect(configs.filter((path) => join(path, '..', read(path)) !== join(root, setup))).toEqual([])
  })
})
