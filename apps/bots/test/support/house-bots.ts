import { randomUUID } from 'node:crypto'
import type { Character } from '@papermoon/bots'
import { createPapermoonClient } from '@papermoon/client'
import type { HouseBot } from '../../src/house/house-config.ts'

const TEMPER = { activity: 1, size: 0.2, sizeSpread: 0.6, bagMax: 3, greed: 0.4, fear: 0.3, patienceMs: 3_000 }

export function createCharacter(name: string, strategy = 'momentum'): Character {
  return { name, emoji: '🤖', about: 'A bot of a test.', strategy, temper: TEMPER } as Character
}

/** Registers players over the API, each with a key to read and trade; as many tokens as bots are launched if asked for. */
export async function createBots(url: string, names: readonly string[], { tokens = 0 } = {}): Promise<HouseBot[]> {
  const bots: HouseBot[] = []
  for (const [index, name] of names.entries()) {
    const { api, close } = createPapermoonClient({ url })
    const email = `${name}@bots.example`
    await api.auth.register.mutate({ username: name, email, wallet: 'none', password: randomUUID() })
    const { key } = await api.keys.create.mutate({ name: 'bot', scopes: ['read', 'trade'] })
    const symbol = `BOT${index}`
    if (index < tokens) await api.tokens.launch.mutate({ name: symbol, symbol, initialBuyAmount: '1' })
    await close()
    bots.push({ name, key, character: createCharacter(name) })
  }
  return bots
}
