import type { Server } from '../../support/server.ts'
import { expect, test } from '../../support/test.ts'

test('a market that is being set up says so, and shows its tokens once they are there', { tag: '@chaos' }, async ({
  ownServer,
  visit,
}) => {
  await ownServer.change((db) =>
    db.insertInto('demo_world').values({ state: 'writing', seed: 1, began_at: new Date() }).execute(),
  )
  const readSite = async () => await (await fetch(`${ownServer.url}/api/site`)).json()
  await expect.poll(readSite).toMatchObject({ isSettingUp: true })
  const page = await visit(`${ownServer.url}/`)
  const line = page.locator('[aria-live=polite] p').filter({ hasText: 'The fairground is being set up.' })
  const heading = page.getByRole('heading', { name: 'The fairground' })
  await expect(line).toBeVisible()
  await expect(page.getByText('No tokens found')).toBeVisible()
  const before = await heading.boundingBox()

  await ownServer.change((db) => db.transaction().execute(writeHistory))
  await expect(page.getByText('Old Moon').first()).toBeVisible()
  await expect(line).toBeHidden()
  expect((await heading.boundingBox())?.y).toBe(before?.y)
})

type Database = Parameters<Parameters<Server['change']>[0]>[0]
type Tx = Parameters<Parameters<ReturnType<Database['transaction']>['execute']>[0]>[0]

/** Writes one token of a house bot. */
async function writeHistory(tx: Tx): Promise<void> {
  const at = new Date(Date.now() - 9 * 86_400_000)
  const names = { username: 'Calm Clam', username_key: 'calm clam', email: '', email_key: 'HOUSE', wallet: '' }
  const { id: creator_id } = await tx
    .insertInto('users')
    .values({ ...names, password_hash: '', profile_picture_url: null, warning: null, kind: 'house' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const amounts = { supply: '1000000000', launch_price: '0.00000003', launch_fee: '0.02' }
  const story = {
    name: 'Old Moon',
    symbol: 'OLD',
    emoji: '🌙',
    description: null,
    website: null,
    x: null,
    telegram: null,
  }
  const { id: token_id } = await tx
    .insertInto('tokens')
    .values({ creator_id, ...story, ...amounts, request_key: null, request_hash: null, created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  const pool = { sol_reserve: '30', virtual_sol: '30', token_reserve: '1000000000', fees: '0', price: '0.00000003' }
  await tx
    .insertInto('pools')
    .values({ token_id, ...pool, seq: 0, last_event_at: at, rugged_at: null, chain_head: Buffer.alloc(32) })
    .execute()
  await tx.updateTable('demo_world').set({ state: 'running', written_at: new Date() }).execute()
}
