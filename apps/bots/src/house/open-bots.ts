import PQueue from 'p-queue'
import { SERVER_BACKOFF, toPauseMs } from '../lib/backoff.ts'
import { isLockedOut, toFailure } from '../lib/failure.ts'
import type { Log } from '../lib/log.ts'
import { pause } from '../lib/pause.ts'
import { NoAccountError } from '../orders/account.ts'
import { Trader } from '../orders/trader.ts'
import { Bot } from './bot.ts'
import { createHouseClient } from './house-client.ts'
import type { HouseBot, HouseConfig } from './house-config.ts'

/** Accounts read at a time. */
const CONCURRENCY = 4

interface Parts {
  readonly config: HouseConfig
  readonly log: Log
  readonly signal: AbortSignal
}

/** Opens every bot's account; waits for a server that is away. Bots whose key is refused are left out, with a warning. */
export async function openBots({ config, log, signal }: Parts): Promise<Bot[]> {
  const queue = new PQueue({ concurrency: CONCURRENCY })
  const opened = await queue.addAll(config.bots.map((bot) => () => openBot(bot, { config, log, signal })))
  return opened.filter((bot) => bot !== null)
}

async function openBot({ name, key, character }: HouseBot, { config, log, signal }: Parts): Promise<Bot | null> {
  const client = createHouseClient(config.url, key)
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      return new Bot(await Trader.open(name, client, signal), character)
    } catch (error) {
      const failure = toFailure(error)
      if (isLockedOut(failure) || error instanceof NoAccountError) {
        log.warn('a bot is left out: its key is refused', { bot: name, reason: failure.message })
        return null
      }
      const pauseMs = toPauseMs(SERVER_BACKOFF, attempt, Math.random())
      if (attempt === 0) log.warn('an account could not be read', { bot: name, reason: failure.message })
      await pause(pauseMs, signal)
    }
  }
  return null
}
