import { skipLacking } from '@papermoon/db/testing'
import { expect, it } from 'vitest'
import { fillDisk, smallDisk } from './faults/disk.ts'

const MAX_MS = 180_000
const FULL_S = 2

it(
  'a full disk: orders are 503 with Retry-After, what is kept is read, and trading goes on by itself when there is room',
  async (context) => {
    const disk = smallDisk()
    if (disk === null) return skipLacking(context, 'the right to mount a disk (root on Linux)')
    try {
      const { unavailable, trades } = await fillDisk(disk, FULL_S)
      expect(unavailable).toBeGreaterThan(0)
      expect(trades).toBeGreaterThan(0)
    } finally {
      disk.remove()
    }
  },
  MAX_MS,
)
