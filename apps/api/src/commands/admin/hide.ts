import type { DatabaseClient } from '@papermoon/db'
import type { TokenId } from '@papermoon/engine'
import { hideToken } from '../../features/moderation/hide-token.ts'
import { byCommand } from '../../features/moderation/log.ts'
import { CommandError } from '../run-command.ts'
import { type FoundToken, findToken } from './store.ts'

/** Hides a token, so that it is not listed and can only be sold. Throws `CommandError`. */
export async function hide({ db }: DatabaseClient, token: string): Promise<string> {
  const found = await findTokenOrFail(db, token)
  if (found.hidden_at !== null) throw new CommandError(`${describeToken(found)} is already hidden.`)
  await change(db, found.id, true)
  return `${describeToken(found)} is hidden from lists and search. Its holders can only sell.`
}

/** Shows a hidden token again. Throws `CommandError`. */
export async function unhide({ db }: DatabaseClient, token: string): Promise<string> {
  const found = await findTokenOrFail(db, token)
  if (found.hidden_at === null) throw new CommandError(`${describeToken(found)} is not hidden.`)
  await change(db, found.id, false)
  return `${describeToken(found)} is in lists and search again, and can be traded.`
}

async function change(db: DatabaseClient['db'], tokenId: TokenId, isHidden: boolean): Promise<void> {
  await db.transaction().execute((tx) => hideToken(tx, { ...byCommand(), tokenId, isHidden }))
}

async function findTokenOrFail(db: DatabaseClient['db'], text: string): Promise<FoundToken> {
  const token = await findToken(db, text)
  if (token === undefined) throw new CommandError(`There is no token ${text}.`)
  return token
}

function describeToken({ id, name, symbol }: FoundToken): string {
  return `Token ${id} (${name}, ${symbol})`
}
