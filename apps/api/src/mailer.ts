import { createTransport } from 'nodemailer'
import type { Logger } from 'pino'
import { createWorkQueue } from './lib/work-queue.ts'

/** Plain text to one player. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Sends mail beside the calls, never within one: how long it takes tells nobody anything. */
export interface Mailer {
  /** Takes a mail and returns at once; one that cannot be sent is logged. */
  send(mail: Mail): void
  /** Waits a little for the mails under way. */
  close(): Promise<void>
}

interface MailerParts {
  /** `smtp://` or `smtps://`, with user and password where the server wants them. */
  readonly smtpUrl: string
  readonly from: string
  readonly log: Logger
}

const RUNNING_MAX = 4
const WAITING_MAX = 500
const ANSWER_MAX_MS = 10_000
const GOODBYE_MS = 3_000

/** A mailer for one SMTP server; connects when there is something to send. */
export function createMailer({ smtpUrl, from, log }: MailerParts): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: ANSWER_MAX_MS,
    greetingTimeout: ANSWER_MAX_MS,
    socketTimeout: ANSWER_MAX_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const full = () => new Error('too many mails are waiting')
  const work = createWorkQueue({ runningMax: RUNNING_MAX, waitingMax: WAITING_MAX, full })
  const underWay = new Set<Promise<void>>()
  return {
    send: ({ to, subject, text }) => {
      // An address as an object is taken as it is; as text it could be a list of addresses.
      const sending = work(() => transport.sendMail({ from, to: { name: '', address: to }, subject, text }))
        .then(() => {})
        .catch((error: unknown) => log.error({ err: error }, 'a mail could not be sent'))
        .finally(() => underWay.delete(sending))
      underWay.add(sending)
    },
    close: async () => {
      const patience = new Promise<void>((resolve) => void setTimeout(resolve, GOODBYE_MS).unref())
      await Promise.race([Promise.all(underWay), patience])
      transport.close()
    },
  }
}
