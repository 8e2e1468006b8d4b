import { SOL_DECIMALS } from '@papermoon/amm'
import { nameFair } from '@papermoon/contract/fair-tokens'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { AmountField } from '../../components/form/amount-field.tsx'
import { Button } from '../../components/form/button.tsx'
import { Segmented, toOptions } from '../../components/form/segmented.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { Themed } from '../../components/layout/themed.tsx'
import { trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { serverNow } from '../../lib/api/server-now.ts'
import { storeInvite } from '../../lib/fairs/stored-invite.ts'
import { cacheFair } from '../../lib/fairs/use-enter-fair.ts'
import classes from './fairs.module.css'

const NAME_MIN = 3
const NAME_MAX = 40
const STAKE_MAX = 10_000

const MINUTES = toOptions({ 5: '5 min', 15: '15 min', 30: '30 min', 60: '1 hour', 1440: '1 day', 10080: '1 week' })
const STARTS = toOptions({ 1: 'In 1 min', 10: 'In 10 min', 60: 'In 1 hour', 1440: 'In 1 day' })
const ROOM_STARTS = [...toOptions({ host: 'When I start it' }), ...STARTS.slice(1)]
const LATE = toOptions({ yes: 'Yes', no: 'No' })
const LAUNCHES = toOptions({ all: 'Everyone', host: 'Only me', nobody: 'Nobody' })
const BOTS = toOptions({ 0: 'None', 4: '4', 7: '7', 10: '10' })
const ON_OFF = toOptions({ no: 'Off', yes: 'On' })

type Of<T extends readonly { readonly value: string }[]> = T[number]['value']

/** Kinds of fairs that players can create here. Sandboxes are missing, because only programs create them. */
export type MadeKind = 'room' | 'cup'

/** Possible durations of a cup, which lasts at most a day. */
const CUP_MINUTES = MINUTES.filter(({ value }) => value !== '10080')

interface NewFairFormProps {
  readonly kind: MadeKind
  readonly hasBots: boolean
}

/** A form that creates a room or a cup and opens its page, where the host finds a room's link. */
export function NewFairForm({ kind, hasBots }: NewFairFormProps) {
  const isCup = kind === 'cup'
  const user = useCurrentUser()
  const [name, setName] = useState(user === null ? '' : nameFair(user.username, kind))
  const [minutes, setMinutes] = useState<Of<typeof MINUTES>>('15')
  const [stake, setStake] = useState('100')
  const [startsIn, setStartsIn] = useState<Of<typeof ROOM_STARTS>>(isCup ? '10' : 'host')
  const [launches, setLaunches] = useState<Of<typeof LAUNCHES>>('all')
  const [late, setLate] = useState<Of<typeof LATE>>('yes')
  const [bots, setBots] = useState<Of<typeof BOTS>>(hasBots ? '4' : '0')
  const [rugs, setRugs] = useState<Of<typeof ON_OFF>>('no')
  const [depth, setDepth] = useState<Of<typeof ON_OFF>>('yes')
  const create = useCreateFair(kind)
  const isShort = name.trim().length < NAME_MIN
  const isStakeWrong = !(Number(stake) >= 1 && Number(stake) <= STAKE_MAX)
  const isWrong = isShort || isStakeWrong
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (create.isPending || isWrong) return
    create.mutate({
      kind,
      name: name.trim(),
      minutes: Number(minutes),
      stake,
      launches,
      ...(startsIn !== 'host' && { startsAt: new Date(serverNow() + Number(startsIn) * 60_000).toISOString() }),
      lateEntry: late === 'yes',
      ...(!isCup && { bots: Number(bots) }),
      rugs: rugs === 'yes',
      depth: depth === 'yes',
    })
  }
  const self = useRef<HTMLFormElement>(null)
  // Focus the form, because the pressed button has disappeared, or the player has just registered.
  useEffect(() => {
    self.current?.focus({ preventScroll: true })
    self.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <form
      ref={self}
      tabIndex={-1}
      aria-label={`Make a ${kind}`}
      className={`stack gap-l ${classes.form}`}
      onSubmit={submit}
    >
      {isCup && <p className="dim">Bots enter with their API keys. Everyone can watch, including you.</p>}
      <Themed>
        <div className="columns">
          <TextField
            label="Name"
            autoComplete="off"
            maxLength={NAME_MAX}
            error={isShort && `Use at least ${NAME_MIN} characters`}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <AmountField
            label="Stake (SOL)"
            decimals={SOL_DECIMALS}
            step="10"
            error={isStakeWrong && `Enter 1 to ${STAKE_MAX} SOL`}
            value={stake}
            onAmount={setStake}
          />
        </div>
      </Themed>
      <Choice label="Start" options={isCup ? STARTS : ROOM_STARTS} value={startsIn} onChange={setStartsIn} />
      <Choice label="Duration" options={isCup ? CUP_MINUTES : MINUTES} value={minutes} onChange={setMinutes} />
      <Choice label="Allow entry after the start" options={LATE} value={late} onChange={setLate} />
      <Choice label="Who can launch tokens" options={LAUNCHES} value={launches} onChange={setLaunches} />
      {!isCup && hasBots && <Choice label="House bots" options={BOTS} value={bots} onChange={setBots} />}
      <Choice label="Rug pulls" options={ON_OFF} value={rugs} onChange={setRugs} />
      <Choice label="Show waiting orders by price" options={ON_OFF} value={depth} onChange={setDepth} />
      <Button type="submit" tall disabled={create.isPending || isWrong}>
        {create.isPending ? 'Making...' : `Make the ${kind}`}
      </Button>
    </form>
  )
}

/** Returns a mutation that creates a fair and opens its page. */
function useCreateFair(kind: MadeKind) {
  const navigate = useNavigate()
  return trpc.fairs.create.useMutation({
    onSuccess: ({ fair, invite }) => {
      if (invite !== null) storeInvite(fair.id, invite)
      cacheFair(fair)
      // The router does not scroll to the top of a page whose URL has a hash.
      scrollTo({ top: 0 })
      void navigate({
        to: '/fairs/{-$id}',
        params: { id: String(fair.id) },
        ...(invite !== null && { hash: `invite=${invite}` }),
      })
    },
    meta: { failure: `Could not make the ${kind}` },
  })
}

function Choice<T extends string>(props: Parameters<typeof Segmented<T>>[0]) {
  return (
    <div className="stack left gap-xs semibold">
      <span aria-hidden="true">{props.label}</span>
      <Segmented {...props} />
    </div>
  )
}
