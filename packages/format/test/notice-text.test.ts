import { expect, it } from 'vitest'
import { type NoticeFacts, toNoticeText } from '../src/notice-text.ts'

const facts: NoticeFacts = {
  kind: 'rug',
  times: 1,
  token: { id: 7, symbol: 'WIZ', isRugged: false },
  actor: { id: 3, username: 'ada' },
  seq: 9,
  tokens: null,
  sol: '5.9829',
  supply: '1000000000',
  rank: null,
  rankNow: null,
  alert: null,
  sticker: null,
  milestone: null,
  seal: null,
}

it('a sticker says how it was earned, and how many came with it', () => {
  const sticker = { name: 'First ride', rule: 'Buy a token.', more: 2 }
  expect(toNoticeText({ ...facts, kind: 'sticker', sticker })).toEqual({
    title: 'New sticker: First ride',
    body: 'Done: Buy a token. You also earned 2 more stickers.',
    path: '/user/3#stickers',
  })
})

it('a triggered stop says at which price it waits for a buyer', () => {
  const order = { kind: 'stop', state: 'waiting', cause: null, waitsAt: '0.000000027' }
  const { body, ...text } = toNoticeText({ ...facts, kind: 'order', order })
  expect([text.title, body]).toEqual([
    'Your stop for WIZ found no buyer yet',
    'The stop was triggered and is waiting for a buyer at 0.000000027 SOL.',
  ])
})

it('a rug pull links to its story', () => {
  expect(toNoticeText(facts)).toEqual({
    title: 'WIZ was rugged',
    body: 'ada took 5.982900 SOL and closed the pool. Your tokens are now worth nothing.',
    path: '/token/7',
  })
})

it('a large holder’s sales link to their moment, with share and count', () => {
  const sale = { ...facts, kind: 'whale', tokens: '123000000' } as const
  expect(toNoticeText(sale)).toEqual({
    title: 'A large holder sold WIZ',
    body: 'ada, who held more than 5%, sold 12.30% of the supply for 5.98 SOL.',
    path: '/token/7?at=9',
  })
  expect(toNoticeText({ ...sale, times: 3 }).body).toMatch(/ for 5\.98 SOL in 3 sales\.$/)
})

it('a lost rank names who took it and the rank now', () => {
  const lost = { ...facts, kind: 'top3', token: null, rank: 1, rankNow: 2 } as const
  expect(toNoticeText(lost)).toEqual({
    title: 'You lost rank 1 in the Top 3',
    body: 'ada passed you. Your rank is now 2.',
    path: '/leaderboard',
  })
  expect(toNoticeText({ ...lost, rank: 3, rankNow: null }).body).toBe('ada passed you. You are no longer in the Top 3.')
})

it('an alert says what its player set', () => {
  const alert = { measure: 'percent', value: '-20', direction: 'below', price: '0.000000024' } as const
  const fired = { ...facts, kind: 'alert', actor: null, alert } as const
  expect(toNoticeText(fired)).toEqual({
    title: 'WIZ fell to your price',
    body: 'Your alert: −20%, 0.000000024 SOL per token.',
    path: '/token/7?at=9',
  })
  const cap = { ...fired, alert: { ...alert, measure: 'marketCap', value: '45', direction: 'above' } } as const
  expect(toNoticeText(cap)).toMatchObject({
    title: 'WIZ rose to your price',
    body: 'Your alert: market cap of 45.00 SOL.',
  })
})

it.each([
  ['hide', 'token', 'A moderator hid your token', 'See the reason and how to appeal in Settings.'],
  ['mute', 'player', 'A moderator muted you', 'See the reason and how to appeal in Settings.'],
  ['unhide', 'token', 'Your token is visible now', 'A moderator found nothing wrong.'],
  ['restore', 'post', 'Your post is visible now', 'A moderator found nothing wrong.'],
  ['unwarn', 'player', 'A moderator reversed a decision about you', 'A moderator found nothing wrong.'],
  ['unsuspend', 'player', 'You are no longer suspended', 'You can use everything again.'],
])('whom a moderator’s act concerns is told: %s of a %s', (act, about, title, body) => {
  const moderation = { act, about, isReport: false }
  const notice = { ...facts, kind: 'moderation', token: null, actor: null, moderation } as const
  expect(toNoticeText(notice)).toEqual({ title, body, path: '/settings#talk' })
})

it('creators get texts about buyers, holders and milestones', () => {
  expect(toNoticeText({ ...facts, kind: 'buyer', sol: '4.5' })).toEqual({
    title: 'ada bought WIZ',
    body: 'The first buyer of your token paid 4.50 SOL.',
    path: '/token/7?at=9',
  })
  expect(toNoticeText({ ...facts, kind: 'holder', tokens: '78800000' })).toEqual({
    title: 'WIZ has a new holder',
    body: 'ada holds 7.88% of your token.',
    path: '/token/7',
  })
  const cap = { ...facts, kind: 'milestone', milestone: { measure: 'marketCap', value: '50' } } as const
  expect(toNoticeText(cap).title).toBe('WIZ reached a market cap of $10.0K')
  expect(toNoticeText({ ...cap, milestone: { measure: 'holders', value: '25' } }).title).toBe('WIZ has 25 holders')
})

it('what others post links to the post and quotes it; several at once are shown without a name', () => {
  const post = { id: 12, tokenId: 7, fairId: null, parentId: null, text: 'To the moon' }
  const said = { ...facts, kind: 'mention', post } as const
  expect(toNoticeText(said)).toEqual({
    title: 'ada mentioned you in WIZ’s discussion',
    body: '“To the moon”',
    path: '/token/7#post-12',
  })
  const lobby = { ...post, tokenId: null, fairId: 4, parentId: 9, text: 'a'.repeat(200) }
  const fair = { id: 4, name: 'Friday evening' }
  const reply = toNoticeText({ ...said, kind: 'reply', token: null, post: lobby, fair })
  expect(reply).toMatchObject({ title: 'ada replied to you in Friday evening', path: '/fairs/4#post-9-12' })
  expect(reply.body).toHaveLength(142)
  expect(toNoticeText({ ...said, kind: 'reaction', times: 2 }).title).toBe('New reactions to your posts')
  expect(toNoticeText({ ...said, post: { ...post, text: '' } }).body).toBe('This post is no longer visible.')
  expect(toNoticeText({ ...facts, kind: 'follower', token: null })).toMatchObject({
    title: 'ada follows you',
    path: '/user/3',
  })
  expect(toNoticeText({ ...facts, kind: 'follower' })).toEqual({
    title: 'ada launched WIZ',
    body: 'You follow this player.',
    path: '/token/7',
  })
  expect(toNoticeText({ ...facts, kind: 'follower', times: 3 })).toMatchObject({
    title: 'ada launched 3 tokens',
    body: 'The latest is WIZ. You follow this player.',
  })
})

it('a result names the fair, the rank and the score', () => {
  const result = { ...facts, kind: 'mention', fair: { id: 4, name: 'Friday evening' }, rank: 2, sol: '101.5' } as const
  expect(toNoticeText(result)).toEqual({
    title: 'Friday evening has ended',
    body: 'Your rank is 2. Your score is 101.50 SOL.',
    path: '/fairs/4',
  })
  expect(toNoticeText({ ...result, rank: null }).body).toBe('You are not ranked. Your score is 101.50 SOL.')
  expect(toNoticeText({ ...result, rank: null, sol: null })).toEqual({
    title: 'Friday evening has started',
    body: 'Trade until the bell rings.',
    path: '/fairs/4',
  })
})

it('an invitation to a rematch links to the room', () => {
  expect(toNoticeText({ ...facts, kind: 'mention', rematchId: 12 })).toEqual({
    title: 'ada wants a rematch',
    body: 'The room has the same settings. Enter it to play again.',
    path: '/fairs/12',
  })
})

it('a rank in a giveaway window names its six hours and the profit', () => {
  const notice = { ...facts, kind: 'mention', windowEnd: '2026-01-06T00:00:00.000Z', rank: 2, sol: '12.3456' } as const
  expect(toNoticeText(notice)).toEqual({
    title: 'You finished 2nd in the giveaway window',
    body: 'Your profit in the window 18:00–00:00 UTC was 12.34 SOL.',
    path: '/leaderboard',
  })
})

it('a completed quest links to the league', () => {
  expect(toNoticeText({ ...facts, kind: 'mention', quest: 'Launch a token' })).toEqual({
    title: 'Quest done',
    body: 'Launch a token. You won 5 points for the league.',
    path: '/leaderboard',
  })
})

it('a reminder links to the daily game, or to the league if the game was played', () => {
  const reminder = { isTapeOpen: true, streak: 2, leagueEnds: true }
  const toText = (now: Partial<typeof reminder>) =>
    toNoticeText({ ...facts, kind: 'reminder', reminder: { ...reminder, ...now } })
  expect(toText({})).toEqual({
    title: 'You have not played today’s tape yet',
    body: 'Your streak of 2 days ends at midnight UTC. Your league ends at midnight UTC.',
    path: '/tape',
  })
  expect(toText({ streak: 0, leagueEnds: false }).body).toBe('The tape takes three minutes.')
  expect(toText({ isTapeOpen: false })).toMatchObject({ title: 'Your league ends today', path: '/leaderboard' })
})
