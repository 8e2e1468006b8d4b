import assert from 'node:assert/strict'
import { constants, setPriority } from 'node:os'
import { registerPlayer } from '../../support/rest-player.ts'
import { askFrom } from './ask-from.ts'
import type { Target } from './attackers.ts'
import type { Attacker } from './attacks.ts'
import { RawConnections } from './raw-connection.ts'
import { type StrikePlan, strikeFor } from './strikes.ts'

const ATTACKERS = 8
/** Real attackers bring their own processors. Too low a priority would show as a missed rate of strikes. */
const NICENESS = constants.priority.PRIORITY_LOW

// Sends null when the attackers are registered, then a `StrikeReport` for each `StrikePlan`. Ends with its parent.
setPriority(NICENESS)
const { url, tokenId } = JSON.parse(process.argv[2] ?? '') as Target
const attackers = await Promise.all(
  Array.from({ length: ATTACKERS }, async (_, i): Promise<Attacker> => {
    const address = `127.0.1.${i + 1}`
    const ask = askFrom(address)
    const account = await registerPlayer(url, ask)
    ask.close()
    return { url, address, connections: new RawConnections({ url, localAddress: address }), tokenId, account, held: [] }
  }),
)
assert(process.send, 'started without a channel')
process.on('disconnect', () => process.exit(0))
process.on('message', async (plan: StrikePlan) => process.send?.(await strikeFor(attackers, plan)))
process.send(null)
