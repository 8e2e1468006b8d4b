import { describe, expect, it } from 'vitest'
import { parseLoadArguments, UsageError } from '../src/load/arguments.ts'
import { EventCheck } from '../src/load/event-check.ts'
import { findLimit } from '../src/load/find-limit.ts'
import { parseKeys } from '../src/load/open-players.ts'

describe('the check of events', () => {
  it('reports acknowledged trades whose event did not arrive, for events in any order', () => {
    const check = new EventCheck()
    check.received(1, 1)
    check.acknowledged(1, 1)
    check.acknowledged(1, 2)
    check.acknowledged(2, 2)
    expect([check.expected, check.missing]).toEqual([3, 2])
    check.received(2, 2)
    check.received(2, 2)
    check.received(9, 9)
    expect([check.expected, check.missing]).toEqual([3, 1])
  })
})

describe('the ramp', () => {
  const server = (limit: number) => async (rate: number) => ({ rate, isHeld: rate <= limit })

  it('narrows down the highest rate that a server handles', async () => {
    const { held, failed, steps } = await findLimit({ firstRate: 50, rateMax: 5_000 }, server(330))
    expect(held?.rate).toBeLessThanOrEqual(330)
    expect(failed?.rate).toBeGreaterThan(330)
    expect((failed?.rate ?? 0) / (held?.rate ?? 1)).toBeLessThan(1.06)
    expect(steps.length).toBeLessThan(12)
  })

  it('ends at the highest rate, if the first rate is too high, or when it is stopped', async () => {
    expect(await findLimit({ firstRate: 4_000, rateMax: 5_000 }, server(9_000))).toMatchObject({
      held: { rate: 5_000 },
      failed: null,
    })
    expect(await findLimit({ firstRate: 50, rateMax: 5_000 }, server(1))).toMatchObject({
      held: null,
      failed: { rate: 50 },
      steps: [{ rate: 50 }],
    })
    expect(await findLimit({ firstRate: 50, rateMax: 5_000 }, async () => null)).toEqual({
      steps: [],
      held: null,
      failed: null,
    })
  })
})

describe('the arguments', () => {
  it('have defaults, and a ramp has shorter steps', () => {
    const url = 'http://localhost:3000'
    const defaults = { url, players: 100, rate: 50, seconds: 30, seed: '1', keysFile: null, isRamp: false }
    expect(parseLoadArguments([])).toEqual(defaults)
    expect(parseLoadArguments(['--ramp'])).toEqual({ ...defaults, seconds: 10, isRamp: true })
    expect(parseLoadArguments(['--help'])).toBeNull()
    const text = '--players 500 --rate=200 --seconds 60 --seed 7 --url https://moon.example/x --keys keys.json'
    expect(parseLoadArguments(text.split(' '))).toEqual({
      url: 'https://moon.example',
      players: 500,
      rate: 200,
      seconds: 60,
      seed: '7',
      keysFile: 'keys.json',
      isRamp: false,
    })
  })

  it.each([
    ['--nodes 3', 'There is no option --nodes. The options are --players,'],
    ['-p 3', 'There is no option -p.'],
    ['500', "'500' belongs to no option."],
    ['--players 0', '--players must be a whole number from 1 to 5000, and not "0".'],
    ['--players 1.5', '--players must be a whole number'],
    ['--players 1e3', '--players must be a whole number'],
    ['--rate 5001', '--rate must be a number from 0.1 to 5000'],
    ['--seconds=-1', '--seconds must be a number'],
    ['--url localhost:3000', '--url must be an address such as http://localhost:3000'],
    ['--url http://a:b@moon.example', '--url must be an address'],
    ['--rate', "Option '--rate <value>' argument missing."],
    ['--ramp=5', "Option '--ramp' does not take an argument."],
  ])('says what is wrong with %s', (text, message) => {
    const parse = () => parseLoadArguments(text.split(' '))
    expect(parse).toThrow(UsageError)
    expect(parse).toThrow(message)
  })
})

describe('a file of keys', () => {
  it('is the output of the operator’s command, or has one key per line', () => {
    expect(parseKeys('[{"userId":1,"name":"ada","key":"pm_a"},{"key":"pm_b"}]')).toEqual(['pm_a', 'pm_b'])
    expect(parseKeys('pm_a\n\n pm_b \n')).toEqual(['pm_a', 'pm_b'])
  })

  it('causes an error that does not contain its text, which includes keys', () => {
    for (const text of ['[{"key":"pm_secret"}', '[{"key":"pm_secret"},{"name":"bo"}]']) {
      expect(() => parseKeys(text)).toThrow(/^(?!.*pm_secret)The file of keys|^(?!.*pm_secret)Entry 2/)
    }
  })
})
