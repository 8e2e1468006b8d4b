import { makeRoom } from './fairs.ts'
import { ageAccount, moderator } from './moderators.ts'
import type { TestServer, Visitor } from './test-server.ts'
import { sayNew } from './words.ts'

/** What a valid call of talk, follows and reports needs, beside what every test's world has. Undefined for all others. */
export async function prepareTalk(
  server: TestServer,
  procedure: string,
  player: Visitor,
): Promise<Record<string, unknown> | undefined> {
  const tokenId = 1
  const text = sayNew()
  if (procedure === 'talk.list') return { tokenId }
  if (procedure === 'talk.write') return { tokenId, text }
  if (procedure === 'talk.moderate') {
    const { id: fairId } = await makeRoom(player)
    const { id } = (await player.post('/api/talk', { fairId, text })).json()
    return { id, act: 'hide', reason: 'Not in my room' }
  }
  if (procedure === 'talk.court' || procedure === 'talk.vote') {
    const creator = await server.player(`puller-${crypto.randomUUID().slice(0, 8)}`)
    const id = await creator.launch()
    await player.buy(id, '1')
    await creator.post(`/api/tokens/${id}/rug`, {})
    await ageAccount(server, player)
    return procedure === 'talk.court' ? { id } : { id, verdict: 'scoundrel' }
  }
  if (procedure.startsWith('talk.')) {
    const { id } = (await player.post('/api/talk', { tokenId, text })).json()
    if (procedure === 'talk.edit') return { id, text: `${text} again` }
    return procedure === 'talk.react' ? { id, reaction: 'moon' } : { id }
  }
  if (/^follows\.(follow|unfollow|block|unblock|of)$/.test(procedure)) {
    const { id } = (await (await server.player(`idol-${crypto.randomUUID().slice(0, 8)}`)).get('/api/auth/user')).json()
    return procedure.endsWith('follow') ? { kind: 'player', id } : { userId: id }
  }
  if (procedure !== 'reports.appeal') return undefined
  const { id } = (await player.post('/api/talk', { tokenId, text })).json()
  await (await server.player(`reporter-${id}`)).post('/api/reports', { kind: 'post', id, reason: 'spam' })
  const mod = await moderator(server, `appealed-${id}`)
  const { cases } = (await mod.query('admin.cases')).json().result.data.json
  const { id: caseId } = cases.find(({ targetId }: { targetId: number }) => targetId === id)
  const decided = await mod.mutate('admin.decide', { caseId, act: 'hide', reason: 'House rules' })
  return { id: decided.json().result.data.json.logId, words: 'I said it once' }
}
