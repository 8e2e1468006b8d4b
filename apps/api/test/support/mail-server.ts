import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  /** Recipients, from the envelope. */
  readonly to: readonly string[]
  /** Headers and body, unchanged. */
  readonly source: string
}

/** A real SMTP server in this process. */
export interface MailServer {
  readonly url: string
  /** Waits for the next mail, or for the next mail to an address. */
  next(to?: string): Promise<ReceivedMail>
  /** Returns the number of unread mails, of all or of one address. */
  countWaiting(to?: string): number
  close(): Promise<void>
}

/** Starts the server. If `isBroken` is true, it rejects every mail. */
export async function startMailServer({ isBroken = false } = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const readers: { readonly to: string | undefined; take(mail: ReceivedMail): void }[] = []
  const isTo = (mail: ReceivedMail, to: string | undefined) => to === undefined || mail.to.includes(to)
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    // Turn off the reverse lookup, because on a machine without a name server each connection would wait for it.
    disableReverseLookup: true,
    onData: (stream, session, done) => {
      text(stream).then((source) => {
        if (isBroken) return done(new Error('no room'))
        const mail = { to: session.envelope.rcptTo.map(({ address }) => address), source }
        const reader = readers.findIndex(({ to }) => isTo(mail, to))
        if (reader === -1) mails.push(mail)
        else readers.splice(reader, 1)[0]?.take(mail)
        done()
      }, done)
    },
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    next: async (to) => {
      const at = mails.findIndex((mail) => isTo(mail, to))
      const [mail] = at === -1 ? [] : mails.splice(at, 1)
      return mail ?? (await new Promise((take) => readers.push({ to, take })))
    },
    countWaiting: (to) => mails.filter((mail) => isTo(mail, to)).length,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
