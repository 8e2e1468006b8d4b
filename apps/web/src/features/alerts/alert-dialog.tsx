import { formatChange, formatMarketCap, formatSol } from '@papermoon/format'
import { describeAlertValue } from '@papermoon/format/notice-text'
import { useId, useState } from 'react'
import { Price } from '../../components/figures/price.tsx'
import { AmountField } from '../../components/form/amount-field.tsx'
import { Button } from '../../components/form/button.tsx'
import { Form } from '../../components/form/form.tsx'
import { Option } from '../../components/form/option.tsx'
import { Segmented } from '../../components/form/segmented.tsx'
import { Dialog } from '../../components/layout/dialog.tsx'
import { ManagedList, Row } from '../../components/layout/managed-list.tsx'
import { cache, type PriceAlert, type Token, trpc } from '../../lib/api/api.ts'
import { useFollow } from '../../lib/hooks/use-follow.ts'
import { type Measure, toAlertGoal } from './alert-price.ts'

const MEASURES = [
  { value: 'percent', label: 'Percent' },
  { value: 'price', label: 'Price' },
  { value: 'marketCap', label: 'Market cap' },
] as const satisfies readonly { value: Measure; label: string }[]

const LABELS = {
  percent: 'Change in percent',
  price: 'Price in SOL per token',
  marketCap: 'Market cap in SOL',
} as const
const DECIMALS = { percent: 2, price: 18, marketCap: 9 } as const

export function AlertDialog({ token, onClose }: { token: Token; onClose: () => void }) {
  return (
    <Dialog title={`Alerts for ${token.symbol}`} onClose={onClose}>
      <div className="stack gap-l p-xs-s">
        <FollowNews token={token} />
        {token.ruggedAt === null ? (
          <AlertForm token={token} />
        ) : (
          <p className="dim text-m">This token was rugged, so its price can no longer change.</p>
        )}
        <AlertList token={token} />
      </div>
    </Dialog>
  )
}

function FollowNews({ token }: { token: Token }) {
  const { isOn, press } = useFollow({ kind: 'token', id: token.id })
  return (
    <Option
      type="checkbox"
      title={`Follow ${token.symbol}`}
      note="The page Following shows the token’s posts, its trades of 1 SOL or more, and a rug pull."
      isOn={isOn}
      onChange={press}
    />
  )
}

function AlertForm({ token }: { token: Token }) {
  const [measure, setMeasure] = useState<Measure>('percent')
  const [amount, setAmount] = useState('')
  const [isFall, setFall] = useState(false)
  const value = measure === 'percent' && isFall && amount !== '' ? `-${amount}` : amount
  const goal = toAlertGoal(measure, value.replace(/\.$/, ''), token.currentPrice)
  const hintId = useId()
  const create = trpc.alerts.create.useMutation({
    onSuccess: (made) => {
      setAmount('')
      cache.alerts.list.setData(undefined, (alerts) => alerts && [made, ...alerts])
    },
    meta: { failure: 'Could not set the alert' },
  })
  const send = () => {
    if (goal === null) return
    create.mutate({ tokenId: token.id, measure, value: value.replace(/\.$/, ''), direction: goal.direction })
  }
  return (
    <Form className="stack gap-m" isBusy={create.isPending} onSend={send}>
      <h3 className="text-m">Price alert</h3>
      <p className="dim text-m">
        Current price: <Price value={token.currentPrice} /> SOL per token. Market cap: {formatSol(token.marketCap, 2)}{' '}
        SOL ({formatMarketCap(token.marketCap)}).
      </p>
      <Segmented
        label="Alert type"
        options={MEASURES}
        value={measure}
        onChange={(next) => {
          setMeasure(next)
          setAmount('')
        }}
      />
      {measure === 'percent' && (
        <Segmented
          label="Direction"
          options={[
            { value: 'rise', label: '▲ Rises by' },
            { value: 'fall', label: '▼ Falls by' },
          ]}
          value={isFall ? 'fall' : 'rise'}
          onChange={(direction) => setFall(direction === 'fall')}
        />
      )}
      <AmountField
        label={LABELS[measure]}
        value={amount}
        decimals={DECIMALS[measure]}
        onAmount={setAmount}
        data-autofocus
        aria-describedby={hintId}
      />
      <p id={hintId} className="dim text-m" style={{ minHeight: '3em' }} aria-live="polite">
        {goal === null ? (
          'You get one notification on this site and on your devices.'
        ) : (
          <>
            We notify you when the price {goal.direction === 'above' ? 'rises' : 'falls'} to{' '}
            <Price value={goal.price.toFixed()} /> SOL ({formatChange(goal.change)}). The market cap is then{' '}
            {formatSol(goal.marketCap.toFixed(), 2)} SOL.
          </>
        )}
      </p>
      <Button type="submit" wide disabled={goal === null || create.isPending}>
        {create.isPending ? 'Setting alert…' : 'Set alert'}
      </Button>
    </Form>
  )
}

function AlertList({ token }: { token: Token }) {
  const query = trpc.alerts.list.useQuery(undefined, { refetchOnMount: 'always' })
  const remove = trpc.alerts.remove.useMutation({
    onMutate: ({ id }) => cache.alerts.list.setData(undefined, (known) => known?.filter((alert) => alert.id !== id)),
    meta: { failure: 'Could not remove the alert' },
    onError: () => void cache.alerts.list.invalidate(),
  })
  return (
    <section>
      <h3 className="mb-s text-m">Your price alerts</h3>
      <ManagedList
        label="Your price alerts"
        query={{ ...query, data: query.data?.filter((alert) => alert.token.id === token.id) }}
        none={`You have no alerts for ${token.symbol} yet.`}
      >
        {(alert) => (
          <Row key={alert.id} title={<Goal alert={alert} />} notes={describeState(alert)}>
            <Button
              look="quiet"
              aria-label={`Remove the alert at ${describeAlertValue(alert)}`}
              onClick={() => remove.mutate({ id: alert.id })}
            >
              Remove
            </Button>
          </Row>
        )}
      </ManagedList>
    </section>
  )
}

function Goal({ alert }: { alert: PriceAlert }) {
  const [arrow, verb] = alert.direction === 'above' ? ['▲', 'Rises'] : ['▼', 'Falls']
  return (
    <>
      <span aria-hidden="true">{arrow} </span>
      <span className="visually-hidden">{verb} to </span>
      {describeAlertValue(alert)}
    </>
  )
}

function describeState({ doneAt, isReached }: PriceAlert): string[] {
  if (doneAt === null) return []
  return [isReached ? 'reached' : 'can no longer be reached']
}
