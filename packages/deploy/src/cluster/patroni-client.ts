import type { MachinePlan } from './cluster-plan.ts'

const ANSWER_MAX_MS = 2_000
/** A switchover ends when the new leader has promoted. */
const SWITCHOVER_MAX_MS = 60_000

export interface Member {
  readonly name: string
  readonly role: 'leader' | 'standby_leader' | 'sync_standby' | 'replica'
  /** `running`, `streaming`, `stopped`, `starting`, … */
  readonly state: string
  readonly timeline?: number
  /** Bytes, or `unknown`. */
  readonly lag?: number | string
}

/** The members as the first machine that answers knows them. Rejects if none answers. */
export async function readMembers(machines: readonly MachinePlan[]): Promise<readonly Member[]> {
  const { members } = (await Promise.any(
    machines.map(async (machine) => {
      const response = await fetch(toUrl(machine, '/cluster'), { signal: AbortSignal.timeout(ANSWER_MAX_MS) })
      return await response.json()
    }),
  )) as { members: readonly Member[] }
  return members
}

/** Whether this machine itself says that it leads: the check of HAProxy. */
export async function isLeader(machine: MachinePlan): Promise<boolean> {
  try {
    const response = await fetch(toUrl(machine, '/primary'), { signal: AbortSignal.timeout(ANSWER_MAX_MS) })
    await response.body?.cancel()
    return response.status === 200
  } catch {
    return false
  }
}

/** Hands the lead over as planned. Throws with Patroni's sentence if it is refused. */
export async function requestSwitchover(leader: MachinePlan, to: string): Promise<void> {
  const response = await fetch(toUrl(leader, '/switchover'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ leader: leader.name, candidate: to }),
    signal: AbortSignal.timeout(SWITCHOVER_MAX_MS),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`no switchover: ${text.trim()}`)
}

function toUrl({ address, patroniPort }: MachinePlan, path: string): string {
  return `http://${address}:${patroniPort}${path}`
}
