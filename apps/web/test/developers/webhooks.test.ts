import { describe, expect, it } from 'vitest'
import {
  describeLack,
  describeStatus,
  formatEvents,
  parseTokenIds,
  toEvents,
} from '../../src/features/developers/webhooks/webhook-status.ts'

const NOW = '2026-01-05T12:00:00.000Z'
const nowMs = Date.parse(NOW)
const ago = (seconds: number) => new Date(nowMs - seconds * 1_000).toISOString()
const fresh = { status: 'pending', lastAt: null, lastStatus: null, lastError: null, failingSince: null } as const

describe('the events of a webhook', () => {
  it('are chosen in words, and shown in the same words', () => {
    const events = toEvents(['notices', 'fills', 'orders'])
    expect(events).toEqual([
      'fill',
      'order',
      'notice.rug',
      'notice.whale',
      'notice.top3',
      'notice.alert',
      'notice.sticker',
      'notice.buyer',
      'notice.holder',
      'notice.milestone',
      'notice.seal',
      'notice.order',
    ])
    expect(formatEvents(events)).toBe('Your trades + Your orders + Your notifications')
    expect(formatEvents(['notice.alert', 'rug'])).toBe('Your notifications + Rug pulls')
    expect(formatEvents(['trade', 'fair'])).toBe('All trades + Fair starts and ends')
  })

  it('are incomplete without a market event for chosen fairs, or without fairs for starts and ends', () => {
    const lack = (isOfFairs: boolean, ...chosen: string[]) => describeLack(chosen, isOfFairs)
    expect([lack(false, 'fills', 'moments'), lack(false), lack(true, 'notices')]).toEqual([
      ...['Choose fairs', 'Choose events', 'Choose events'],
    ])
    expect([lack(false, 'notices'), lack(true, 'notices', 'fills'), lack(true, 'moments')]).toEqual([null, null, null])
  })

  it('are of tokens by their numbers, or of all tokens', () => {
    expect(['', ' ', '7', '7, 12 9'].map(parseTokenIds)).toEqual([null, null, [7], [7, 12, 9]])
    expect(['seven', '0', '-1', '1.5', '07', '7;8', '1e3'].map(parseTokenIds)).toEqual(Array(7).fill('wrong'))
  })
})

describe('the status of a webhook', () => {
  const sentence = (facts: object) => describeStatus({ ...fresh, ...facts }, nowMs).sentence

  it('is described in a sentence, from the challenge to the end', () => {
    expect(sentence({})).toBe('We are sending the challenge to your URL.')
    expect(sentence({ lastAt: ago(5), lastStatus: 200, lastError: 'challenge' })).toBe(
      'Your URL has not confirmed the challenge yet. Last attempt 5 seconds ago: the response did not repeat the challenge.',
    )
    expect(sentence({ status: 'active' })).toBe('We have not sent anything yet.')
    expect(sentence({ status: 'active', lastAt: ago(5), lastStatus: 204 })).toBe(
      'Last attempt 5 seconds ago: the response had status 204.',
    )
    const failing = { status: 'failing', lastAt: ago(60), failingSince: ago(7_200) }
    expect(sentence({ ...failing, lastStatus: 503 })).toBe(
      'Last attempt 1 minute ago: the response had status 503. We will try again. The webhook began to fail 2 hours ago.',
    )
    expect(sentence({ status: 'stopped', lastAt: ago(60), lastError: 'timeout' })).toBe(
      'Last attempt 1 minute ago: no response within ten seconds. We will send nothing more until a test succeeds.',
    )
  })

  it('is good while it works or waits for its first response', () => {
    const isBad = (facts: object) => describeStatus({ ...fresh, ...facts }, nowMs).isBad
    expect([isBad({}), isBad({ status: 'active' })]).toEqual([false, false])
    const failures = [{ lastAt: NOW, lastStatus: 404 }, { status: 'failing' }, { status: 'stopped' }]
    expect(failures.map(isBad)).toEqual([true, true, true])
  })
})
