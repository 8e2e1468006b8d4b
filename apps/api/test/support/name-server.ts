import { createSocket } from 'node:dgram'
import ipaddr from 'ipaddr.js'
import { onTestFinished } from 'vitest'

/** The IP addresses of a name, or undefined if the name has none. */
export interface NameAnswers {
  readonly a?: () => string | undefined
  readonly aaaa?: () => string | undefined
}

/** A name server on loopback. */
export interface NameServer {
  readonly address: string
  /** The addresses to respond with. If it is null, the server never responds. */
  answers: NameAnswers | null
  /** Number of questions received. */
  questions: number
}

const HEADER_BYTES = 12
const TYPE_A = 1

/** Starts a name server for a test or a file. It does not respond before it has addresses. */
export async function startNameServer(end: (close: () => void) => void = onTestFinished): Promise<NameServer> {
  const socket = createSocket('udp4')
  const server: NameServer = { address: '', answers: null, questions: 0 }
  socket.on('message', (question, { port, address }) => {
    server.questions++
    if (server.answers !== null) socket.send(toAnswer(question, server.answers), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  end(() => void socket.close())
  return Object.assign(server, { address: `127.0.0.1:${socket.address().port}` })
}

/** Builds a response as in RFC 1035: the question, and a record with the address if there is one. */
function toAnswer(message: Buffer, { a, aaaa }: NameAnswers): Buffer {
  const question = message.subarray(HEADER_BYTES, message.indexOf(0, HEADER_BYTES) + 5)
  const found = (question.readUInt16BE(question.length - 4) === TYPE_A ? a : aaaa)?.()
  const address = found === undefined ? Buffer.alloc(0) : Buffer.from(ipaddr.parse(found).toByteArray())
  const header = Buffer.from([...message.subarray(0, 2), 0x81, 0x80, 0, 1, 0, found === undefined ? 0 : 1, 0, 0, 0, 0])
  if (found === undefined) return Buffer.concat([header, question])
  const record = [0xc0, HEADER_BYTES, ...question.subarray(-4), 0, 0, 0, 0, 0, address.length]
  return Buffer.concat([header, question, Buffer.from(record), address])
}
