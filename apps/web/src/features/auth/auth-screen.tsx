import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/Tabs.css'
import { Tabs } from '@mantine/core'
import { Navigate, useLocation } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Moon } from '../../components/layout/moon.tsx'
import stub from '../../components/layout/stub.module.css'
import { Themed } from '../../components/layout/themed.tsx'
import { type Inputs, type TokenId, trpc } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { useTitle } from '../../lib/hooks/use-title.ts'
import { formatExact, type Intent, readIntent } from '../../lib/market/stored-intent.ts'
import classes from './auth-screen.module.css'
import { findFairToEnter, isForQuickArena } from './login/enter.ts'
import { LoginForm } from './login/login-form.tsx'
import { RegisterForm } from './login/register-form.tsx'

export function AuthScreen() {
  const user = useCurrentUser()
  const authTab = useLocation({ select: ({ state }) => state.authTab })
  useTitle('Login / Register')
  if (user !== null) return <Navigate to="/" replace />
  return (
    <div className={`grid cols-2 gap-xl stretch ${classes.screen}`}>
      <AdmitOne />
      <section className="card card-big" aria-labelledby="auth-title">
        <div className={`row gap-m mb-l ${classes.brand}`}>
          <Moon size={36} />
          <h1 id="auth-title" className={`text-2xl ${classes.name}`}>
            Papermoon
          </h1>
        </div>
        <Held isSessionOver={authTab === 'login'} />
        <Themed>
          <Tabs
            defaultValue={authTab ?? 'login'}
            classNames={{ list: classes.tabs, tab: classes.tab, panel: classes.panel }}
          >
            <Tabs.List grow>
              <Tabs.Tab value="login">Login</Tabs.Tab>
              <Tabs.Tab value="register">Register</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="login">
              <LoginForm isFocused={authTab === 'login'} />
            </Tabs.Panel>
            <Tabs.Panel value="register">
              <RegisterForm isFocused={authTab === 'register'} />
            </Tabs.Panel>
          </Tabs>
        </Themed>
      </section>
    </div>
  )
}

/** Says what the visitor can continue after login: entering a fair, an order, or a launch. */
function Held({ isSessionOver }: { isSessionOver: boolean }) {
  const [fair] = useState(findFairToEnter)
  const [isQuick] = useState(isForQuickArena)
  if (isQuick) return <Kept>Your quick arena begins when you have logged in or registered.</Kept>
  return fair === null ? <HeldIntent isSessionOver={isSessionOver} /> : <NextFair {...fair} />
}

function Kept({ children }: { children: ReactNode }) {
  return <p className={`mb-m p-s-m round-s semibold breaks ${classes.held}`}>{children}</p>
}

function NextFair(input: Inputs['fairs']['get']) {
  const { data } = trpc.fairs.get.useQuery(input)
  return data !== undefined && <Kept>{data.name} is waiting for you. Log in or register to enter.</Kept>
}

function HeldIntent({ isSessionOver }: { isSessionOver: boolean }) {
  const [intent] = useState(readIntent)
  const tokenId = intent?.kind === 'trade' ? intent.tokenId : null
  const token = trpc.tokens.get.useQuery({ id: tokenId ?? (1 as TokenId) }, { enabled: tokenId !== null }).data
  if (intent === null || intent.kind === 'first-trade') return null
  const name = token === undefined ? 'a token' : `${token.emoji} ${token.symbol}`
  return (
    <Kept>
      {isSessionOver && 'You were logged out. '}
      {describeIntent(intent, name)}
      {isSessionOver ? ' Log in to continue.' : ' Log in or register to continue.'}
    </Kept>
  )
}

function describeIntent(intent: Exclude<Intent, { kind: 'first-trade' }>, name: string): string {
  if (intent.kind === 'launch') {
    return intent.symbol === '' ? 'We saved your launch.' : `We saved your launch of ${intent.symbol}.`
  }
  const amount = formatExact(intent.amount)
  return intent.side === 'buy'
    ? `We saved your buy of ${name} for ${amount} SOL.`
    : `We saved your sale of ${amount} ${name}.`
}

/** Shows on a paper ticket what a new account receives. */
function AdmitOne() {
  return (
    <aside
      className={`${stub.notched} stack on-moon gap-m p-2xl round-l centered ${classes.ticket}`}
      aria-label="What you get"
    >
      <p className={`py-s text-s bold text-center ${classes.small}`}>Admit one</p>
      <p className={`mt-xs display text-3xl solid text-center ${classes.big}`}>100 SOL</p>
      <p className={`text-l text-center balance ${classes.text}`}>
        Every new player starts with 100 SOL. It is play money.
      </p>
      <ul className={`bullets ${classes.list}`}>
        <li>Launch a token in half a minute</li>
        <li>Buy and sell at live prices</li>
        <li>Trade with play money and win giveaways</li>
      </ul>
      <p className={`py-s text-s bold text-center ${classes.small}`}>Papermoon · open all night</p>
    </aside>
  )
}
