import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  /** Whom the envelope names: who gets it. */
  readonly to: readonly string[]
  /** Headers and body as they came. */
  readonly source: string
}

/** A real SMTP server in this process. */
export interface MailServer {
  readonly url: string
  /** The next mail; waits for it. */
  next(): Promise<ReceivedMail>
  /** Mails that nobody took. */
  readonly waiting: number
  close(): Promise<void>
}

/** `isBroken`: it refuses every mail. */
export async function startMailServer({ isBroken = false } = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const readers: ((mail: ReceivedMail) => void)[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onData: (stream, session, done) => {
      text(stream).then((source) => {
        if (isBroken) return done(new Error('no room'))
        const mail = { to: session.envelope.rcptTo.map(({ address }) => address), source }
        const reader = readers.shift()
        if (reader) reader(mail)
        else mails.push(mail)
        done()
      }, done)
    },
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    next: () => {
      const mail = mails.shift()
      return mail === undefined ? new Promise((resolve) => readers.push(resolve)) : Promise.resolve(mail)
    },
    get waiting() {
      return mails.length
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
