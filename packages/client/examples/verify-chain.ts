/**
 * Verifies a token's whole hash chain against a running market. The file is self-contained and runs on any machine with
 * Node. With a stored copy of an hour's published heads, it also checks that the chain contains the published head:
 *
 *     node packages/client/examples/verify-chain.ts http://localhost:3000 12
 *     node packages/client/examples/verify-chain.ts http://localhost:3000 12 heads-2026-01-05T18.json
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const [url = 'http://localhost:3000', token = '1', copyFile] = process.argv.slice(2)
const id = Number(token)

type Entry = Record<string, string | number> & { seq: number; hash: string }
interface Page {
  genesis: Record<string, string | number> & { hash: string; name: string; symbol: string }
  head: { seq: number; hash: string }
  entries: Entry[]
}

const copy: { tokenId: number; seq: number; hash: string } | undefined =
  copyFile === undefined
    ? undefined
    : JSON.parse(readFileSync(copyFile, 'utf8')).heads.find((head: { tokenId: number }) => head.tokenId === id)

let last = { seq: 0, hash: '' }
let isOnChain = false
for (;;) {
  const { genesis, head, entries } = await pageAfter(last.seq)
  if (last.hash === '') last = { seq: 0, hash: launchHash(genesis) }
  isOnChain ||= copy?.seq === 0 && copy.hash === last.hash
  for (const entry of entries) {
    const hash = entryHash(last.hash, entry)
    if (entry.seq !== last.seq + 1 || entry.hash !== hash) fail(`broken at entry ${last.seq + 1}`)
    last = { seq: entry.seq, hash }
    isOnChain ||= copy?.seq === last.seq && copy.hash === hash
  }
  if (last.seq < head.seq && entries.length > 0) continue
  if (last.seq !== head.seq || last.hash !== head.hash) fail(`the head is not entry ${last.seq}`)
  break
}
console.log(`verified: ${last.seq} entries, head ${last.hash}`)
if (copy !== undefined && !isOnChain) fail(`entry ${copy.seq} of your copy is not on this chain`)
if (copy !== undefined) console.log(`copy: entry ${copy.seq} of your copy is on this chain`)

async function pageAfter(seq: number): Promise<Page> {
  const response = await fetch(`${url}/api/tokens/${id}/chain?cursor=${seq}`)
  if (!response.ok) fail(await response.text())
  return (await response.json()) as Page
}

function launchHash({
  tokenId,
  creatorId,
  supply,
  launchPrice,
  createdAt,
  name,
  symbol,
  hash,
}: Page['genesis']): string {
  const fields = `${tokenId} ${creatorId} ${supply} ${launchPrice} ${createdAt}`
  const own = sha256(`papermoon:1 launch ${fields} ${JSON.stringify(name)} ${JSON.stringify(symbol)}`)
  if (tokenId !== id || hash !== own) fail('broken at the launch')
  return own
}

function entryHash(previous: string, entry: Entry): string {
  const names =
    entry.kind === 'rug'
      ? ['amount', 'createdAt']
      : ['solAmount', 'fee', 'tokenAmount', 'price', 'spotPrice', 'solReserve', 'tokenReserve', 'createdAt']
  const fields = names.map((name) => entry[name]).join(' ')
  return sha256(`${previous}\npapermoon:1 ${entry.kind} ${id} ${entry.seq} ${entry.userId} ${fields}`)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function fail(why: string): never {
  console.error(why)
  process.exit(1)
}
