import type { UserId } from '@papermoon/engine'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { csv } from '../../../src/commands/admin/reports.ts'
import { type CommandEnd, runCommand } from '../../support/run-command.ts'
import { createTurnedMarket, type TurnedMarket } from '../../support/turned-market.ts'

const HEADER =
  '"window_start","window_end","rank","user_id","username","wallet","profit_sol","trades","counterparties","source_user_id","source_percent","source_shares_browser","account_created_at","account_age_hours","eligible","why_not","doubts"\r\n'
const WINDOW = '"2026-01-05T12:00:00.000Z","2026-01-05T18:00:00.000Z"'

describe('a CSV file', () => {
  it('quotes text, doubles quotes, and ends lines with CRLF as in RFC 4180', () => {
    expect(csv([['a', 1], ['b"c,d\ne', -2], []])).toBe('"a",1\r\n"b""c,d\ne",-2\r\n\r\n')
    expect(csv([])).toBe('')
  })

  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@sum(a1)', "'@sum(a1)"],
    ['＝1', "'＝1"],
    ['  =1', "  '=1"],
    ['\tx', "'\tx"],
    ['\rx', "'\rx"],
    ['\t=x', "'\t'=x"],
    ['moon;=cmd', "moon;'=cmd"],
    ['moon, -1', "moon, '-1"],
    ['=HYPERLINK("x")', `'=HYPERLINK(""x"")`],
  ])('has no formula where a player wrote %j', (text, harmless) => {
    expect(csv([[text]])).toBe(`"${harmless}"\r\n`)
  })

  it('leaves all other text unchanged', () => {
    const texts = ['a=b', 'mail@example', '1-2', 'x + y', '🌙', '']
    expect(csv([texts])).toBe(`${texts.map((text) => `"${text}"`).join(',')}\r\n`)
  })
})

describe('npm run admin -- winners', () => {
  let market: TurnedMarket
  let winner: UserId
  beforeEach(async () => {
    market = await createTurnedMarket()
    winner = await market.addPlayer()
  })
  afterEach(() => market.close())
  const winners = (...args: string[]): Promise<CommandEnd> =>
    runCommand('admin', ['winners', ...args], { DATABASE_URL: market.connectionString })
  const failed = (sentence: string | RegExp) => ({ code: 2, stdout: '', stderr: expect.stringMatching(sentence) })

  /** Lets the first and the third player win SOL from the second. */
  async function play(): Promise<void> {
    // All players have the same wallet, and the third player is younger than the first.
    const [loser, third] = [await market.addPlayer(), await market.addPlayer()]
    for (const [player, sol] of [
      [winner, '5'],
      [third, '1'],
    ] as const) {
      const tokenId = await market.launch(player, sol)
      await market.buy(loser, tokenId, '20')
      await market.sellAll(player, tokenId)
    }
    const players = market.db.updateTable('users').set({ created_at: new Date('2026-01-04T17:30:00Z') } as never)
    await players.execute()
    await market.db.updateTable('users').set({ username: '=1+1', wallet: '@a"é' }).where('id', '=', winner).execute()
  }

  it('closes a finished window and lists it as CSV with the eligibility of each winner', async () => {
    await play()
    const end = await winners('2026-01-05T12:00Z')
    expect(end).toMatchObject({ code: 0, stderr: '' })
    const [header, first, second, ...rest] = end.stdout.split('\r\n')
    expect(`${header}\r\n`).toBe(HEADER)
    expect(first).toMatch(
      new RegExp(
        `^${WINDOW},1,${winner},"'=1\\+1","'@a""\\?","[\\d.]+",2,1,2,100,"no","2026-01-04T17:30:00.000Z",24,"yes","","100 % of the profit came from one account"$`,
      ),
    )
    expect(second).toMatch(
      /,2,3,"player-3","wallet","[\d.]+",2,1,2,100,"no","2026-01-04T17:30:00.000Z",24,"no","an older account uses the same wallet","100 % of the profit came from one account"$/,
    )
    expect(rest).toEqual([''])
    // Recorded winners stay the same, even if wallets change later.
    await market.db.updateTable('users').set({ wallet: 'new' }).execute()
    for (const time of ['2026-01-05T12:00:00.000Z', '2026-01-05 12', '2026-01-05T12:00']) {
      expect(await winners(time)).toEqual(end)
    }
  })

  it('defaults to the last finished window, and lists the recorded ones', async () => {
    await play()
    expect(await winners('--list')).toEqual({ code: 0, stderr: '', stdout: '"window_start","closed_at","winners"\r\n' })
    expect(await winners()).toEqual({ code: 0, stderr: '', stdout: HEADER })
    expect((await winners('2026-01-05T12:00Z')).code).toBe(0)
    const { stdout } = await winners('--list')
    expect(stdout).toMatch(
      /^"window_start","closed_at","winners"\r\n"[^"]+Z","[^"]+Z",0\r\n"2026-01-05T12:00:00.000Z","[^"]+Z",2\r\n$/,
    )
  })

  it('rejects a window that is unfinished, before the first trade, or invalid', async () => {
    const next = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000).toISOString()
    expect(await winners(next)).toEqual(failed(/^The window from .*Z to .*Z is not over yet\. Its winners are known /))
    expect(await winners()).toEqual(failed(/^Nothing was traded before .*Z\.\n$/))
    await play()
    expect(await winners('2026-01-05T06:00Z')).toEqual(
      failed(/^Nothing was traded before 2026-01-05T12:00:00\.000Z\.\n$/),
    )
    for (const text of ['2026-01-05T07:00Z', '2026-02-30T06:00Z', 'yesterday']) {
      expect(await winners(text)).toEqual(failed(/ is not the start of a window\. .*2026-01-05T06:00Z\.\n$/))
    }
    expect(await winners('2026-01-05T12:00Z', '--list')).toEqual(failed(/^The command winners takes one argument/))
  })
})
