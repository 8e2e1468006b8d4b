import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findServiceUser, requireProgram } from '../programs/programs.ts'
import type { ClusterPlan, MachinePlan } from './cluster-plan.ts'
import { isLeader, readMembers, requestSwitchover } from './patroni-client.ts'

/** The machine that leads. Throws if none does. */
export async function findLeader({ machines }: Pick<ClusterPlan, 'machines'>): Promise<MachinePlan> {
  const leads = await Promise.all(machines.map(isLeader))
  const leader = machines[leads.indexOf(true)]
  if (leader === undefined) throw new Error('no machine leads')
  return leader
}

/** The synchronous standby. Throws if there is none. */
export async function findStandby({ machines }: Pick<ClusterPlan, 'machines'>): Promise<MachinePlan> {
  const members = await readMembers(machines)
  const name = members.find(({ role }) => role === 'sync_standby')?.name
  const standby = machines.find((machine) => machine.name === name)
  if (standby === undefined) throw new Error('no machine is synchronous standby')
  return standby
}

/** Hands the lead to the synchronous standby, as before maintenance. Returns the new leader's name. */
export async function switchOver(plan: ClusterPlan): Promise<string> {
  const [leader, standby] = await Promise.all([findLeader(plan), findStandby(plan)])
  await requestSwitchover(leader, standby.name)
  return standby.name
}

/** Backs the leader up into the repository: `full`, `diff` or `incr`. */
export async function backUp(plan: ClusterPlan, type = 'full'): Promise<void> {
  const { configFolder } = await findLeader(plan)
  const config = join(configFolder, 'pgbackrest.conf')
  const args = [`--config=${config}`, '--stanza=papermoon', `--type=${type}`, 'backup']
  await promisify(execFile)(requireProgram('pgbackrest'), args, findServiceUser() ?? {})
}

/** One line a machine. */
export async function describeMembers(plan: ClusterPlan): Promise<string[]> {
  const members = await readMembers(plan.machines)
  return members.map(({ name, role, state, timeline, lag }) => {
    const place = `timeline ${timeline ?? '?'}${role === 'leader' ? '' : `, ${lag ?? '?'} bytes behind`}`
    return `${name.padEnd(4)} ${role.padEnd(12)} ${state.padEnd(10)} ${place}`
  })
}
