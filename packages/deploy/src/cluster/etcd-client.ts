import type { MachinePlan } from './cluster-plan.ts'

const ANSWER_MAX_MS = 5_000

/** Whether this member serves: it reaches a majority. */
export async function isHealthy(machine: MachinePlan): Promise<boolean> {
  try {
    const response = await fetch(toUrl(machine, '/health'), { signal: AbortSignal.timeout(ANSWER_MAX_MS) })
    return Object(await response.json()).health === 'true'
  } catch {
    return false
  }
}

/** Replaces the member of a machine whose disk is lost, through one that serves. Its etcd then starts as `existing`. */
export async function replaceMember(lost: MachinePlan, through: MachinePlan): Promise<void> {
  const { members } = await call<{ members: readonly { ID: string; name: string }[] }>(through, 'list', {})
  const member = members.find(({ name }) => name === lost.name)
  if (member !== undefined) await call(through, 'remove', { ID: member.ID })
  await call(through, 'add', { peerURLs: [`http://${lost.etcdAddress}:${lost.etcdPeerPort}`] })
}

async function call<Answer>(machine: MachinePlan, action: string, body: unknown): Promise<Answer> {
  const response = await fetch(toUrl(machine, `/v3/cluster/member/${action}`), {
    method: 'POST',
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MAX_MS),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`etcd refused to ${action} a member: ${text.trim()}`)
  return JSON.parse(text) as Answer
}

function toUrl({ etcdAddress, etcdClientPort }: MachinePlan, path: string): string {
  return `http://${etcdAddress}:${etcdClientPort}${path}`
}
