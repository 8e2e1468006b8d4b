import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { checkBell } from '../../src/features/fairs/fair-books.tsx'

const SECRET = '00112233445566778899aabbccddeeff'
const bytes = Buffer.from(SECRET, 'hex')
const ENDS_AT = '2026-03-01T13:15:00.000Z'
const drawn = createHash('sha256').update('papermoon bell\n').update(bytes).digest('hex').slice(0, 12)
const early = Number((60_000n * BigInt(`0x${drawn}`)) / 2n ** 48n) + 1
const fair = {
  commit: createHash('sha256').update(bytes).digest('hex'),
  secret: SECRET,
  endsAt: ENDS_AT,
  bellFrom: '2026-03-01T13:14:00.000Z',
  bellAt: new Date(Date.parse(ENDS_AT) - early).toISOString(),
}

it('a bell is checked with its secret: the hash, and the time to the millisecond', async () => {
  expect(await checkBell(fair)).toEqual({ isCommitted: true, isOnTime: true })
  const later = new Date(Date.parse(fair.bellAt) + 1).toISOString()
  expect(await checkBell({ ...fair, bellAt: later })).toEqual({ isCommitted: true, isOnTime: false })
  const other = { ...fair, secret: `ff${SECRET.slice(2)}` }
  expect(await checkBell(other)).toEqual({ isCommitted: false, isOnTime: false })
})

it('a fair that ended early has no bell to check, and a running fair has no secret', async () => {
  expect(await checkBell({ ...fair, bellFrom: ENDS_AT })).toEqual({ isCommitted: true, isOnTime: null })
  expect(await checkBell({ ...fair, secret: null })).toBeNull()
})
