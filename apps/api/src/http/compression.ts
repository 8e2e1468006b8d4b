import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createWorkQueue } from '../lib/work-queue.ts'
import type { ProcedurePath } from './calls/procedures.ts'

/** Less than this goes into a packet or two as it is. */
const COMPRESSED_BYTES_MIN = 2_048
/** Leaves threads of Node's pool of four to files and name lookups. */
const RUNNING_MAX = 2
const WAITING_MAX = 32

/**
 * What is the same for whoever asks. Only this is compressed: the length of a compressed answer tells how much of it
 * repeats, so one that held a secret of the asker beside a name that somebody else chose would tell the secret letter
 * by letter (BREACH).
 */
export const PUBLIC: ReadonlySet<string> = new Set<ProcedurePath>([
  'leaderboard.get',
  'proof.chain',
  'site.settings',
  'tokens.chart',
  'tokens.get',
  'tokens.holders',
  'tokens.list',
  'tokens.movers',
  'tokens.rugStory',
  'tokens.tape',
  'tokens.trades',
  'users.profile',
])

export type Encoding = 'br' | 'gzip'

const brotli = promisify(brotliCompress)
// The quickest of each: 4 ms for a page of 1,000 tokens, at a sixth of its size.
const compress: Record<Encoding, (body: Buffer | string) => Promise<Buffer>> = {
  br: (body) => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: (body) => promisify(gzip)(body, { level: 1 }),
}

class NoRoomError extends Error {}

const work = createWorkQueue({ runningMax: RUNNING_MAX, waitingMax: WAITING_MAX, full: () => new NoRoomError() })

/** What was made of bytes that are sent more than once, kept as long as they are. */
const made = new WeakMap<Buffer, Partial<Record<Encoding, Promise<Buffer>>>>()

/**
 * The body of a successful answer of these procedures, in the encoding that the client likes best; sets the headers
 * that say so. As it came where it is small, where it is anybody's secret, where the client takes no other and where
 * too many are being compressed. The same bytes, such as those of `jsonBody`, are compressed once; a text each time.
 */
export async function compressAnswer(
  procedures: readonly string[],
  body: Buffer | string,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<Buffer | string> {
  if (!isReading(request) || !procedures.every((path) => PUBLIC.has(path))) return body
  // Of small ones, too: the next answer at this address may be large.
  reply.header('vary', varyByEncoding(reply.getHeader('vary')))
  const encoding = chooseEncoding(request.headers['accept-encoding'])
  if (encoding === null || Buffer.byteLength(body) < COMPRESSED_BYTES_MIN) return body
  const smaller = await compressOnce(body, encoding)
  if (smaller === null) return body
  reply.header('content-encoding', encoding)
  return smaller
}

async function compressOnce(body: Buffer | string, encoding: Encoding): Promise<Buffer | null> {
  const kept = typeof body === 'string' ? {} : (made.get(body) ?? {})
  const making = kept[encoding] ?? work(() => compress[encoding](body))
  kept[encoding] = making
  if (typeof body !== 'string') made.set(body, kept)
  try {
    return await making
  } catch (error) {
    if (kept[encoding] === making) kept[encoding] = undefined
    if (error instanceof NoRoomError) return null
    throw error
  }
}

/** The encoding to answer in: brotli before gzip, whatever the client prefers of the two; null for neither. */
export function chooseEncoding(accepted: string | string[] | undefined): Encoding | null {
  const codings = String(accepted ?? '')
    .toLowerCase()
    .split(',')
  const takes = (name: Encoding) =>
    codings.some((coding) => {
      const [asked = '', ...parameters] = coding.split(';').map((part) => part.trim())
      return asked === name && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    })
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : null
}

function isReading({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

export function varyByEncoding(vary: unknown): string {
  const names = vary === undefined ? [] : String(vary).split(/\s*,\s*/)
  return names.some((name) => name.toLowerCase() === 'accept-encoding')
    ? names.join(', ')
    : [...names, 'accept-encoding'].join(', ')
}
