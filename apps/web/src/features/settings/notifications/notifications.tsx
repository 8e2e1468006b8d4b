import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Checks, Option, Options } from '../../../components/form/option.tsx'
import { SelectField } from '../../../components/form/text-field.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { cache, type EmailState, type NewsKind, type NoticeKind, trpc } from '../../../lib/api/api.ts'
import { findEndpoint, getPushSupport, subscribe, unsubscribe } from '../../../lib/api/push.ts'
import { serverNow } from '../../../lib/api/server-now.ts'

const KINDS: readonly { readonly id: NoticeKind; readonly title: string; readonly note: string }[] = [
  { id: 'rug', title: 'Rug pulls', note: 'The creator of a token you hold pulls the rug' },
  { id: 'whale', title: 'Large holders', note: 'Someone with more than 5% of a token you hold sells at least 1%' },
  { id: 'top3', title: 'Top 3', note: 'Someone takes your rank in the Top 3' },
  { id: 'alert', title: 'Price alerts', note: 'A token reaches a price you set on its page' },
  { id: 'seal', title: 'Seals', note: 'A seal on a token you hold ends soon or has ended' },
  { id: 'sticker', title: 'Stickers', note: 'You earn a sticker' },
  { id: 'order', title: 'Waiting orders', note: 'Your limit or stop order is filled or has ended' },
  {
    id: 'mention',
    title: 'Mentions and fairs',
    note: 'A post mentions you, a fair that you entered starts or ends, or someone invites you to a rematch',
  },
  { id: 'reply', title: 'Replies', note: 'Someone replies to your post' },
  { id: 'reaction', title: 'Reactions', note: 'Someone reacts to your post' },
  {
    id: 'follower',
    title: 'Followers and launches',
    note: 'Someone follows you, or someone you follow launches a token',
  },
  {
    id: 'moderation',
    title: 'Moderators',
    note: 'Moderators make a decision about your reports, your posts or your account',
  },
]

const YOUR_TOKENS: typeof KINDS = [
  { id: 'buyer', title: 'First buyer', note: 'Another player is the first to buy a token you launched' },
  { id: 'post', title: 'First post', note: 'Another player writes the first post about a token you launched' },
  { id: 'holder', title: 'New holders', note: 'Someone holds more than 1% of a token you launched' },
  { id: 'milestone', title: 'Milestones', note: 'A token you launched reaches a new market cap or number of holders' },
]

const OLD_KINDS: readonly string[] = ['rug', 'whale', 'top3', 'alert']
const isNews = (kind: NoticeKind): kind is NewsKind => !OLD_KINDS.includes(kind)

export function NotificationsPanel() {
  return (
    <Panel title="Notifications">
      <p className="dim pretty">Press the bell icon on any page to see your notifications.</p>
      <PushOption />
      <Choices />
    </Panel>
  )
}

function Choices() {
  const settings = trpc.notices.settings.useQuery()
  const save = trpc.notices.setSettings.useMutation({
    onSuccess: (saved) => cache.notices.settings.setData(undefined, saved),
    meta: { failure: 'Could not save the setting' },
  })
  const current = settings.data ?? { muted: [], mutedNews: [], reminderHour: null, reminderByMail: false }
  const chosen = { ...current, ...(save.isPending && save.variables) }
  const { muted, mutedNews = [], reminderHour = null, reminderByMail = false } = chosen
  const off: readonly NoticeKind[] = [...muted, ...mutedNews]
  const choose = (kind: NoticeKind, isOn: boolean) => {
    const next = isOn ? off.filter((it) => it !== kind) : [...off, kind]
    save.mutate({ muted: next.filter((it) => !isNews(it)) as typeof muted, mutedNews: next.filter(isNews) })
  }
  const checks = {
    isOn: (kind: NoticeKind) => !off.includes(kind),
    isDisabled: settings.data === undefined || save.isPending,
    onChange: choose,
  }
  return (
    <>
      <SelectField
        label="Daily reminder"
        description="At this time, we send a push notification to your devices if you have not played the tape or your league ends today."
        inputWrapperOrder={['label', 'input', 'description']}
        // UTC hours, or an empty text for no reminder.
        data={HOURS}
        value={String(reminderHour ?? '')}
        disabled={checks.isDisabled}
        onChange={({ currentTarget: { value } }) =>
          save.mutate({ muted, reminderHour: value === '' ? null : Number(value) })
        }
      />
      <MailOption
        isOn={reminderByMail}
        isDisabled={checks.isDisabled || reminderHour === null}
        onChange={(isOn) => save.mutate({ muted, reminderByMail: isOn })}
      />
      <Checks legend="Notify me about" choices={KINDS} {...checks} />
      <Checks legend="Your tokens" choices={YOUR_TOKENS} {...checks} />
    </>
  )
}

interface MailOptionProps {
  readonly isOn: boolean
  readonly isDisabled: boolean
  readonly onChange: (isOn: boolean) => void
}

/** Lets the player get the daily reminder as an email, too, if the server mails links and the address is verified. */
function MailOption({ isOn, isDisabled, onChange }: MailOptionProps) {
  const email = trpc.security.email.useQuery().data
  const problem = email === undefined ? null : findMailProblem(email)
  return (
    <>
      <Option
        type="checkbox"
        title="Also by email"
        note={email?.email}
        isOn={isOn && problem === null}
        isDisabled={isDisabled || email === undefined || problem !== null}
        onChange={onChange}
      />
      {problem !== null && <p className="dim pretty">{problem}</p>}
    </>
  )
}

/** Returns why the server cannot send reminders by email. Returns null if it can. */
export function findMailProblem({
  canVerify,
  isVerified,
}: Pick<EmailState, 'canVerify' | 'isVerified'>): string | null {
  if (!canVerify) return 'This server cannot send the reminder by email.'
  return isVerified ? null : 'To get the reminder by email, verify your email address in the section Security.'
}

const HOURS = [
  { value: '', label: 'Off' },
  ...Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: toLocalTime(hour) })).sort((a, b) =>
    a.label < b.label ? -1 : 1,
  ),
]

/** Returns the local time of a UTC hour today, such as `18:30`. */
function toLocalTime(hour: number): string {
  const time = new Date(serverNow())
  time.setUTCHours(hour, 0, 0, 0)
  return [time.getHours(), time.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')
}

const EXPLAINED = {
  blocked:
    'This browser blocks notifications from this site. Allow them in the browser’s settings, then reload the page.',
  unsupported:
    'This browser cannot show push notifications. On an iPhone or iPad, add Papermoon to the home screen and open it from there.',
  off: 'This server does not send push notifications.',
} as const

function PushOption() {
  const state = trpc.push.state.useQuery()
  const endpoint = useQuery({ queryKey: [['push', 'endpoint']], queryFn: findEndpoint, staleTime: 0 })
  const [support, setSupport] = useState(getPushSupport)
  const publicKey = state.data?.publicKey ?? null
  const problem = state.data !== undefined && publicKey === null ? 'off' : support === 'supported' ? null : support
  const isOn = endpoint.data != null && state.data?.endpoints.includes(endpoint.data) === true
  const choose = useMutation({
    mutationFn: async (key: string | null) => {
      if (key === null) await unsubscribe()
      else await subscribe(key)
    },
    meta: {
      failure: 'Could not save the setting',
      fallback: 'The browser’s push service did not respond. Try again.',
    },
    onSettled: () => {
      setSupport(getPushSupport())
      return Promise.all([endpoint.refetch(), state.refetch()])
    },
  })
  return (
    <>
      <Options legend="On this device">
        <Option
          type="checkbox"
          title="Push notifications"
          note="Notify me even when Papermoon is closed, as long as I stay logged in here"
          isOn={isOn}
          isDisabled={problem !== null || state.data === undefined || choose.isPending}
          onChange={(wanted) => choose.mutate(wanted ? publicKey : null)}
        />
      </Options>
      {problem !== null && <p className="dim pretty">{EXPLAINED[problem]}</p>}
    </>
  )
}
