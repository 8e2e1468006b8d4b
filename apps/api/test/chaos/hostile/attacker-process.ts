import { Agent } from 'node:http'
import { constants, setPriority } from 'node:os'
import { registerPlayer } from '../support/rest-player.ts'
import { askFrom } from './ask-from.ts'
import { type Attacker, type StrikePlan, strikeFor } from './attacks.ts'

const ATTACKERS = 8

// This process sends null when the attackers are registered, then a `StrikeReport` for the `StrikePlan`, and ends with
// its parent. Its priority is low, because real attackers use their own processors. If that made it too slow, the
// measured rate of attacks would be too low.
setPriority(constants.priority.PRIORITY_LOW)
const [url = '', tokenId] = process.argv.slice(2)
const attackers = await Promise.all(
  Array.from({ length: ATTACKERS }, async (_, i): Promise<Attacker> => {
    const address = `127.0.1.${i + 1}`
    const agent = new Agent({ keepAlive: true, localAddress: address })
    const account = await registerPlayer(url, askFrom(agent))
    return { url, address, agent, tokenId: Number(tokenId), account, held: [] }
  }),
)
process.on('disconnect', () => process.exit(0))
process.on('message', async (plan: StrikePlan) => process.send?.(await strikeFor(attackers, plan)))
process.send?.(null)
