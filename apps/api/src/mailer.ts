import { createTransport } from 'nodemailer'
import PQueue from 'p-queue'
import type { Logger } from 'pino'
import { Counter, type Registry } from 'prom-client'
import { isLoopback } from './security/client-address.ts'

/** A mail in plain text to one player. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** Whether other mails are sent first. The mail is dropped if many mails are waiting. */
  readonly canBeDropped?: boolean
}

/** Sends mails in the background. The duration of a call therefore does not reveal whether the call sent a mail. */
export interface Mailer {
  /** Queues a mail and returns at once. If a mail cannot be sent, the failure is logged. */
  send(mail: Mail): void
  /** Waits up to 3 s for mails that are being sent. */
  close(): Promise<void>
}

interface MailerParts {
  /** URL that begins with `smtp://` or `smtps://`, with user and password if the server requires them. */
  readonly smtpUrl: string
  readonly from: string
  readonly log: Logger
  readonly metrics: Registry
}

const RUNNING_MAX = 4
const WAITING_MAX = 1_000
/** Max number of waiting mails when a mail that can be dropped is added. The rest is for codes and links. */
const WAITING_MAX_TO_DROP = 500
const ANSWER_MAX_MS = 10_000
const CLOSE_GRACE_MS = 3_000

/** Creates a mailer for one SMTP server. The mailer connects to the server when it first sends a mail. */
export function createMailer({ smtpUrl, from, log, metrics }: MailerParts): Mailer {
  const mails = new Counter({
    name: 'papermoon_mails_total',
    help: 'Emails that the mail server accepted, or that could not be sent.',
    labelNames: ['outcome'] as const,
    registers: [metrics],
  })
  for (const outcome of ['sent', 'failed']) mails.inc({ outcome }, 0)
  const transport = createSmtp(smtpUrl)
  const queue = new PQueue({ concurrency: RUNNING_MAX })
  const add = async (canBeDropped: boolean, work: () => Promise<unknown>) => {
    if (queue.size >= (canBeDropped ? WAITING_MAX_TO_DROP : WAITING_MAX)) throw new Error('too many mails are waiting')
    await queue.add(work, { priority: canBeDropped ? -1 : 0 })
  }
  const pending = new Set<Promise<void>>()
  return {
    send: ({ to, subject, text, canBeDropped = false }) => {
      // Pass the address as an object, because nodemailer would parse a string as a list of addresses.
      const sending = add(canBeDropped, () =>
        transport.sendMail({ from, to: { name: '', address: to }, subject, text }),
      )
        .then(() => mails.inc({ outcome: 'sent' }))
        .catch((error: unknown) => {
          mails.inc({ outcome: 'failed' })
          log.error({ err: error }, 'an email could not be sent')
        })
        .finally(() => pending.delete(sending))
      pending.add(sending)
    },
    close: async () => {
      const timeout = new Promise<void>((resolve) => void setTimeout(resolve, CLOSE_GRACE_MS).unref())
      await Promise.race([Promise.all(pending), timeout])
      transport.close()
    },
  }
}

/** Logs in to a mail server without sending mail. Returns the reason if the login fails; otherwise null. */
export async function reachMailServer(smtpUrl: string): Promise<string | null> {
  const transport = createSmtp(smtpUrl)
  try {
    await transport.verify()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    transport.close()
  }
}

function createSmtp(smtpUrl: string) {
  return createTransport({
    url: smtpUrl,
    // Require TLS, because an attacker on the network could otherwise remove STARTTLS from the greeting and read codes.
    // Operators can switch this off with requireTLS=false in SMTP_URL.
    requireTLS: !isLoopback(new URL(smtpUrl).hostname.replace(/^\[|\]$/g, '')),
    connectionTimeout: ANSWER_MAX_MS,
    greetingTimeout: ANSWER_MAX_MS,
    socketTimeout: ANSWER_MAX_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
