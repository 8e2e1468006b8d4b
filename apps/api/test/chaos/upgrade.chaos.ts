import { needs } from '@papermoon/db/testing'
import { describe, expect, it } from 'vitest'
import { findLastTag } from '../support/last-release.ts'
import { describeUpgrade, type UpgradePlan, upgradeUnderLoad } from './faults/upgrade.ts'

/** With the installation of the release, which may come over the network. */
const MAX_MS = 400_000

const hasTag = (await findLastTag()) !== null

/** More: `npm run chaos -- upgrade`. */
describe('nodes that are replaced one after another under load', () => {
  it('refuse and lose no order while they stop, and let every page resume', () => replaceAll('this build'), MAX_MS)

  it(
    'do so from the last release to this build, which migrates meanwhile',
    { ...needs('the tag of the last release', hasTag), timeout: MAX_MS },
    () => replaceAll('the last release'),
  )

  async function replaceAll(from: UpgradePlan['from']): Promise<void> {
    const seen = await upgradeUnderLoad({ from, orders: 40 })
    process.stdout.write(`${describeUpgrade(seen)}\n`)
    expect(seen).toMatchObject({ failed: 0, missed: 0 })
    expect(seen.resumed).toBeGreaterThan(0)
    expect(seen.trades).toBe(seen.events)
  }
})
