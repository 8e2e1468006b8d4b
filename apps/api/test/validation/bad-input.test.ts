import { procedures } from '@papermoon/contract'
import { getKeyAccess } from '@papermoon/contract/procedure'
import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { restRoutes } from '../../src/http/rest/routes.ts'
import { createEmailLink } from '../../src/security/accounts/email-links.ts'
import { toUploadName } from '../../src/storage/object-names.ts'
import type { UploadKey } from '../../src/storage/object-store.ts'
import {
  AN_UPLOAD,
  type BadInputRow,
  badInputs,
  heavyInputs,
  NOT_OBJECTS,
  publishLongAgo,
  typedEnvelopes,
  type UnknownInput,
  unknownInputs,
} from '../support/bad-input.ts'
import { factorInputs } from '../support/factors/factor-inputs.ts'
import { aPng } from '../support/pictures.ts'
import {
  createTestServer,
  errorsIn,
  openSocket,
  registration,
  type TestServer,
  type Visitor,
} from '../support/test-server.ts'

const MISSING_ID = 2_000_000_000
const TABLE = 'badInputs in apps/api/test/support/bad-input.ts'
const ROUTES = 'its entry in packages/contract'
/** Tables a refused call, or a background job meanwhile, may write to; and why. */
const WRITTEN_BY_REFUSALS: Readonly<Record<string, string>> = {
  account_events: 'a wrong password or code is an event of the account',
  audits: 'the journal is audited in the background, first after five minutes',
  giveaway_windows: 'windows are closed in the background, at 00, 06, 12 and 18 h UTC',
  head_publications: 'heads are published in the background',
  notice_position: 'the market is followed in the background',
  published_heads: 'heads are published in the background',
  window_winners: 'windows are closed in the background',
}
/** Noted in the background each five minutes that a session or key is used. */
const NOTED_USE = ['last_used_at', 'address', 'browser']
const TOO_LARGE = `{"padding":"${'x'.repeat(40_000)}"}`

let server: TestServer
let player: Visitor
let guest: Visitor
let port: number
beforeAll(async () => {
  server = await createTestServer({ env: { SHOW_RESET_CODES: 'on' } })
  player = await server.player('player-1')
  guest = server.visitor()
  await player.launch({ initialBuyAmount: '1' })
  await player.launch()
  await publishLongAgo(server.db)
  await server.app.objects.write(toUploadName(AN_UPLOAD as UploadKey), await aPng(), 'image/png')
  port = await server.listen()
})
afterAll(() => server?.close())

/** The rows of every table as text, by table. */
async function readDatabase(): Promise<Record<string, string | null>> {
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by tablename`.execute(server.db)
  const reads = tables.rows
    .filter(({ name }) => !(name in WRITTEN_BY_REFUSALS))
    .map(
      ({ name }) =>
        sql`select ${name}::text as name, (select json_agg(to_jsonb(t) - ${NOTED_USE}::text[] order by t::text)::text from ${sql.table(name)} t) as rows`,
    )
  const { rows } = await sql<{ name: string; rows: string | null }>`${sql.join(reads, sql` union all `)}`.execute(
    server.db,
  )
  return Object.fromEntries(rows.map((table) => [table.name, table.rows]))
}

function listInputs(row: BadInputRow): unknown[] {
  return Object.entries(row.bad).flatMap(([field, values]) =>
    values.map((value) => {
      const { [field]: _replaced, ...others } = row.valid
      return value === undefined ? others : { ...others, [field]: value }
    }),
  )
}

const OUR_FAULT = 'Something went wrong on our side.'

/** 'refused' for a 4xx with one plain sentence that does not blame the server; else what came, so a failure names its input. */
function verdictOn(status: number, sentence: unknown, input: unknown): string {
  const isSentence =
    typeof sentence === 'string' && /^\S[^\n]{0,300}[.?]$/.test(sentence) && !sentence.includes('Error')
  if (status >= 400 && status < 500 && isSentence && sentence !== OUR_FAULT) return 'refused'
  return `${JSON.stringify(input)?.slice(0, 200)}: ${status} ${String(sentence).slice(0, 300)}`
}

const refusedAll = (inputs: readonly unknown[]) => inputs.map(() => 'refused')
const readSentence = (answer: LightMyRequestResponse): unknown => answer.json().error?.json?.message

function sendRest(path: string, input: unknown): Promise<LightMyRequestResponse> {
  const route = restRoutes.find((candidate) => candidate.procedure === path)
  if (route === undefined) throw new Error(`add a route for ${path} to ${ROUTES}`)
  const visitor = badInputs[path]?.isSignedIn ? player : guest
  const fields: Record<string, unknown> = { ...Object(input) }
  const url = route.path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => {
    const value = String(fields[name])
    delete fields[name]
    return encodeURIComponent(value)
  })
  if (route.method !== 'GET') {
    const body = JSON.stringify(Array.isArray(input) || typeof input !== 'object' ? input : fields)
    return visitor.raw(route.method, url, body, { 'content-type': 'application/json' })
  }
  const query = new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, toText(value)]),
  )
  return visitor.get(query.size > 0 ? `${url}?${query}` : url)
}

/** A route's path with the input's fields in the braces. */
function toAddress(path: string, input: Readonly<Record<string, unknown>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => encodeURIComponent(String(input[name])))
}

function toText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Whether an input is still bad as text in an address: there "1" is an id, and "[]" a text to search for. */
function isBadInAddress(path: string, input: unknown): boolean {
  const route = restRoutes.find((candidate) => candidate.procedure === path)
  const isInAddress = (field: string) => route?.method === 'GET' || route?.path.includes(`{${field}}`)
  return !Object.entries(Object(input)).some(
    ([field, value]) => isInAddress(field) && (value === '1' || typeof value === 'object'),
  )
}

describe('the table of bad input', () => {
  it('has a row for every procedure', () => {
    const missing = [...procedures.keys()].filter((path) => !(path in badInputs))
    const stale = Object.keys(badInputs).filter((path) => !procedures.has(path))
    expect([
      ...missing.map((path) => `add a row for ${path} to ${TABLE}`),
      ...stale.map((path) => `${path} is no procedure: remove its row from ${TABLE}`),
    ]).toEqual([])
  })

  it('names every field of every input', () => {
    const faults = Object.entries(badInputs).flatMap(([path, { bad }]) => {
      const fields = Object.keys(procedures.get(path)?.input?.shape ?? {})
      const missing = fields.filter((field) => !(field in bad))
      const stale = Object.keys(bad).filter((field) => !fields.includes(field))
      return [
        ...missing.map((field) => `add ${field}, with values to refuse, to the row of ${path} in ${TABLE}`),
        ...stale.map((field) => `${path} takes no ${field}: remove it from its row in ${TABLE}`),
      ]
    })
    expect(faults).toEqual([])
  })

  it('says the scope that an API key needs for every procedure', () => {
    const faults = [...procedures].flatMap(([path, procedure]) => {
      const [actual, said] = [getKeyAccess(procedure), badInputs[path]?.scope]
      if (actual === said) return []
      return `${path}: '${actual}' by its entry, '${said}' by its row in ${TABLE}; correct the wrong one`
    })
    expect(faults).toEqual([])
  })
})

/** Matches the sentence that names an unknown property and, if one was misspelt, the right one. */
function namesIt({ name, field }: UnknownInput): RegExp {
  return new RegExp(`^${name} is not known here${field === null ? '\\.' : `; did you mean ${field}\\?`}$`)
}

/** Sends one call after another over one socket and returns the errors of their answers. */
async function refusalsOverSocket(cookie: string | undefined, messages: readonly string[]): Promise<unknown[]> {
  const listener = await openSocket(`ws://127.0.0.1:${port}/trpc`, cookie === undefined ? {} : { cookie })
  const refusals: unknown[] = []
  for (const message of messages) {
    listener.socket.send(message)
    refusals.push(Object(await listener.next()).error?.json)
  }
  listener.socket.close()
  return refusals
}

describe.each(Object.entries(badInputs))('%s', (path, row) => {
  const type = procedures.get(path)?.type
  const route = restRoutes.find((candidate) => candidate.procedure === path)
  const inputs = listInputs(row)

  /** Runs the calls; expects that they change no table and log no error. */
  async function harmlessly(ask: () => Promise<void>): Promise<void> {
    const [before, errorsBefore] = [await readDatabase(), errorsIn(server).length]
    await ask()
    const hint = 'a refused call wrote to a table; an intended one belongs into WRITTEN_BY_REFUSALS of this file'
    expect(await readDatabase(), hint).toEqual(before)
    expect(errorsIn(server).slice(errorsBefore)).toEqual([])
  }

  const call = (input: unknown) => {
    const visitor = row.isSignedIn ? player : guest
    return type === 'query' ? visitor.query(path, input) : visitor.mutate(path, input)
  }

  if (type !== 'subscription' && inputs.length > 0)
    it('refuses bad input over tRPC', async () => {
      await harmlessly(async () => {
        const all = [...inputs, ...NOT_OBJECTS]
        const answers = await Promise.all(all.map(call))
        expect(answers.map((answer, index) => verdictOn(answer.statusCode, readSentence(answer), all[index]))).toEqual(
          refusedAll(all),
        )
      })
    })

  if (route !== undefined && inputs.length > 0)
    it('refuses bad input over REST', async () => {
      await harmlessly(async () => {
        const all = [...inputs, ...(route?.method === 'GET' ? [] : NOT_OBJECTS)].filter((input) =>
          isBadInAddress(path, input),
        )
        const answers = await Promise.all(all.map((input) => sendRest(path, input)))
        expect(answers.map((answer, index) => verdictOn(answer.statusCode, answer.body, all[index]))).toEqual(
          refusedAll(all),
        )
      })
    })

  if (type === 'subscription')
    it('refuses bad input over a socket', async () => {
      await harmlessly(async () => {
        const all = [...inputs, ...NOT_OBJECTS]
        const { cookie } = getVisitor()
        const listener = await openSocket(`ws://127.0.0.1:${port}/trpc`, cookie === undefined ? {} : { cookie })
        const verdicts: string[] = []
        for (const [id, input] of all.entries()) {
          listener.send({ id, method: 'subscription', params: { path, input: { json: input } } })
          const answer = Object(await listener.next())
          verdicts.push(verdictOn(answer.error?.json?.data?.httpStatus, answer.error?.json?.message, input))
        }
        listener.socket.close()
        expect(verdicts).toEqual(refusedAll(all))
      })
    })

  const getVisitor = () => (row.isSignedIn ? player : guest)
  const callRaw = (input: string) =>
    type === 'mutation'
      ? getVisitor().raw('POST', `/trpc/${path}`, input, { 'content-type': 'application/json' })
      : getVisitor().get(`/trpc/${path}?input=${encodeURIComponent(input)}`)
  const message = (input: string) => `{"id":1,"method":"${type}","params":{"path":"${path}","input":${input}}}`

  it('names an unknown property over every transport', async () => {
    await harmlessly(async () => {
      const unknowns = unknownInputs(row)
      const refused = (status: unknown, sentence: unknown) => [status, sentence]
      const named = unknowns.map((unknown) => [400, expect.stringMatching(namesIt(unknown))])
      const messages = unknowns.map(({ input }) => message(JSON.stringify({ json: input })))
      const overSocket = await refusalsOverSocket(getVisitor().cookie, messages)
      expect(overSocket.map((error) => refused(Object(error).data?.httpStatus, Object(error).message))).toEqual(named)
      if (type !== 'subscription') {
        const overHttp = await Promise.all(unknowns.map(({ input }) => call(input)))
        expect(overHttp.map((answer) => refused(answer.statusCode, readSentence(answer)))).toEqual(named)
      }
      if (route !== undefined) {
        const overRest = await Promise.all(unknowns.map(({ input }) => sendRest(path, input)))
        expect(overRest.map((answer) => refused(answer.statusCode, answer.body))).toEqual(named)
      }
    })
  })

  it('refuses input that is expensive to read, and objects that superjson would construct', async () => {
    await harmlessly(async () => {
      const heavy = heavyInputs(row).map((input) => JSON.stringify({ json: input }))
      const inputs = [...heavy, ...typedEnvelopes(row).map((envelope) => JSON.stringify(envelope))]
      const overSocket = await refusalsOverSocket(getVisitor().cookie, inputs.map(message))
      expect(overSocket.map((error) => Object(error).data?.httpStatus)).toEqual(inputs.map(() => 400))
      if (type !== 'subscription') {
        const overHttp = await Promise.all(inputs.map(callRaw))
        expect(overHttp.map((answer) => answer.statusCode)).toEqual(inputs.map(() => 400))
      }
      if (route !== undefined) {
        const overRest = await Promise.all(heavyInputs(row).map((input) => sendRest(path, input)))
        expect(overRest.map((answer) => answer.statusCode)).toEqual(overRest.map(() => 400))
      }
    })
  })

  it('takes no other parameters than its own, and each once', async () => {
    await harmlessly(async () => {
      const field = Object.keys(row.bad)[0] ?? 'zzz'
      const sent = [`/trpc/${path}?${field}=1`, `/trpc/${path}?batch=2`, `/trpc/${path}?batch=1&batch=1`]
      if (route !== undefined) {
        const url = toAddress(route.path, row.valid)
        sent.push(`${url}?zzz=1`, `${url}?${field}=1&${field}=2`, `${url}?__proto__=1`)
        if (route.method !== 'GET') sent.push(`${url}?${field}=1`)
      }
      for (const url of type === 'subscription' ? [] : sent) {
        const method = url.startsWith('/trpc') ? (type === 'mutation' ? 'POST' : 'GET') : (route?.method ?? 'GET')
        const answer = await getVisitor().send({ method, url })
        expect([url, answer.statusCode]).toEqual([url, 400])
      }
    })
  })

  if (row.id !== undefined)
    it('answers 404 for an id that nobody has', async () => {
      await harmlessly(async () => {
        const input = { ...row.valid, [row.id ?? '']: MISSING_ID }
        expect((await call(input)).statusCode).toBe(404)
        expect((await sendRest(path, input)).statusCode).toBe(404)
      })
    })

  if (row.isSignedIn)
    it('refuses a guest', async () => {
      await harmlessly(async () => {
        if (type === 'subscription') {
          const [refusal] = await refusalsOverSocket(undefined, [message(JSON.stringify({ json: row.valid }))])
          expect(Object(refusal).data?.httpStatus).toBe(401)
          return
        }
        const answers = [await guest.mutate(path, row.valid), await guest.query(path, row.valid)]
        expect(answers.map((answer) => answer.statusCode).sort()).toEqual([401, 405])
      })
    })

  if (type === 'mutation')
    it('refuses a body that is broken, too large, or of another type', async () => {
      await harmlessly(async () => {
        const visitor = row.isSignedIn ? player : guest
        const json = { 'content-type': 'application/json' }
        const addresses: ['POST' | 'PUT' | 'DELETE', string][] = [['POST', `/trpc/${path}`]]
        if (route !== undefined && route.method !== 'GET') addresses.push([route.method, route.path])
        for (const [method, url] of addresses) {
          const answers = [
            await visitor.raw(method, url, '{"broken', json),
            await visitor.raw(method, url, TOO_LARGE, json),
            await visitor.raw(method, url, JSON.stringify(row.valid), { 'content-type': 'text/plain' }),
            await visitor.raw(method, url, 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }),
            await visitor.raw(method, url, JSON.stringify(row.valid)),
          ]
          expect(answers.map((answer) => answer.statusCode)).toEqual([400, 413, 415, 415, 415])
          const sentences = answers.map((answer) => (url.startsWith('/trpc') ? readSentence(answer) : answer.body))
          expect(sentences.map((sentence) => verdictOn(400, sentence, url))).toEqual(refusedAll(answers))
        }
      })
    })
})

interface Prepared {
  readonly visitor: Visitor
  /** Fields that replace those of the row's valid input. */
  readonly more: Readonly<Record<string, unknown>>
}

/** Sets up what a procedure's valid input needs: a player in a certain state, or something to act on. */
const prepare: Readonly<Record<string, () => Promise<Prepared>>> = {
  'account.reset': async () => {
    const visitor = await server.player('poor')
    await server.db
      .updateTable('accounts')
      .from('users')
      .set({ sol_balance: '1' })
      .whereRef('user_id', '=', 'users.id')
      .where('username', '=', 'poor')
      .execute()
    return { visitor, more: {} }
  },
  'alerts.remove': async () => {
    const alert = { tokenId: 1, measure: 'percent', value: '900' }
    const { id } = (await player.post('/api/alerts', alert)).json()
    return { visitor: player, more: { id } }
  },
  'keys.revoke': async () => {
    const { id } = (await player.post('/api/keys', { name: 'to be revoked', scopes: ['read'] })).json()
    return { visitor: player, more: { id } }
  },
  'webhooks.test': () => withWebhook('tester'),
  'webhooks.rotate': () => withWebhook('rotator'),
  'webhooks.remove': () => withWebhook('remover'),
  'auth.resetPassword': async () => {
    const visitor = await server.player('forgetful')
    const { email } = registration('forgetful')
    const { resetToken } = (await visitor.post('/api/auth/forgot-password', { email })).json()
    return { visitor, more: { token: resetToken } }
  },
  'orders.get': async () => {
    await player.post('/api/tokens/buy', { tokenId: 1, solAmount: '0.1', requestId: 'placed-1' })
    return { visitor: player, more: { key: 'placed-1' } }
  },
  'security.changePassword': async () => ({ visitor: await server.player('changer'), more: {} }),
  'security.verifyEmail': async () => {
    const visitor = await server.player('verifier')
    const { userId, email } = (await visitor.get('/api/auth/user')).json()
    return { visitor, more: { token: await createEmailLink(server.db, server.app, { userId, email }) } }
  },
  'security.endSession': async () => {
    const visitor = await server.player('ender')
    const [{ id }] = (await visitor.get('/api/account/sessions')).json()
    return { visitor, more: { id } }
  },
  'tokens.rugStory': async () => {
    const id = await player.launch()
    await player.post(`/api/tokens/${id}/rug`, {})
    return { visitor: player, more: { id } }
  },
}

/** A new player with a webhook. */
async function withWebhook(name: string): Promise<Prepared> {
  const visitor = await server.player(name)
  const answer = await visitor.post('/api/webhooks', badInputs['webhooks.create']?.valid)
  return { visitor, more: { id: answer.json().id } }
}

/** A new player with the second factor or passkey the procedure is about. */
async function prepareFactor(path: string): Promise<Prepared | undefined> {
  const toInput = factorInputs[path]
  if (toInput === undefined) return undefined
  const visitor = await server.player(path.replace('.', '-').slice(0, 32))
  return { visitor, more: await toInput(server, visitor) }
}

describe('the inputs that the table calls valid', () => {
  // If these were refused too, the refusals above would prove nothing.
  it('are taken', async () => {
    const refused: string[] = []
    for (const [path, row] of Object.entries(badInputs)) {
      if (procedures.get(path)?.type === 'subscription') continue
      const own = { visitor: row.isSignedIn ? player : server.visitor(), more: {} }
      const { visitor, more } = (await prepare[path]?.()) ?? (await prepareFactor(path)) ?? own
      const input = { ...row.valid, ...more }
      const isQuery = procedures.get(path)?.type === 'query'
      const answer = isQuery ? await visitor.query(path, input) : await visitor.mutate(path, input)
      if (answer.statusCode !== 200) refused.push(`${path}: ${answer.statusCode} ${readSentence(answer)}`)
    }
    const hint = `correct the valid input of the row in ${TABLE}, or set up what it needs in prepare of this file`
    expect(refused, hint).toEqual([])
  })
})

describe('an amount with more decimals than its unit has', () => {
  it('is cut, not refused', async () => {
    const trader = await server.player('precise')
    const bought = await trader.post('/api/tokens/buy', { tokenId: 1, solAmount: '1.0000000009999' })
    expect(bought.json().trade.solAmount).toBe('1')
    const sold = await trader.post('/api/tokens/sell', { tokenId: 1, tokenAmount: '5.0000009999' })
    expect(sold.json().trade.tokenAmount).toBe('5')
  })
})
