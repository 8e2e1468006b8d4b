import type { Language, Sample } from '@papermoon/guide'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { Segmented } from '../../components/form/segmented.tsx'
import { copyText } from '../../lib/ui/copy-text.ts'
import { showToast } from '../../lib/ui/toasts.ts'
import { useFillIn } from './filling.ts'
import { useLanguage } from './language.tsx'
import classes from './samples.module.css'

const NAMES: Readonly<Record<Language, string>> = {
  bash: 'curl',
  typescript: 'TypeScript',
  python: 'Python',
  html: 'HTML',
  json: 'JSON',
}

/** A piece of code in one or several languages, with a button that copies it as it is filled in. */
export function Samples({ samples }: { samples: readonly Sample[] }) {
  const { chosen, choose } = useLanguage()
  const frame = useRef<HTMLDivElement>(null)
  const keepInPlace = useKeptPlace(frame, chosen)
  const fillIn = useFillIn()
  const shown = samples.find(({ language }) => language === chosen) ?? samples[0]
  if (shown === undefined) return null
  const name = NAMES[shown.language]
  const code = shown.pieces.map((piece) => (typeof piece === 'string' ? piece : piece[0])).join('')
  return (
    <div ref={frame} className={classes.frame}>
      <div className={classes.bar}>
        {samples.length === 1 ? (
          <span className={classes.only}>{name}</span>
        ) : (
          <Segmented
            label="Language"
            value={shown.language}
            options={samples.map(({ language }) => ({ value: language, label: NAMES[language] }))}
            onChange={(language) => {
              keepInPlace()
              choose(language)
            }}
          />
        )}
        <button type="button" className={classes.copy} onClick={() => void copyCode(fillIn(code))}>
          Copy<span className="visually-hidden"> the {name} code</span>
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <pre className={classes.code} tabIndex={0}>
        <code>
          {shown.pieces.map((piece, index) => {
            const [text, kind] = typeof piece === 'string' ? [piece] : piece
            return (
              <span key={index} className={kind && classes[kind]}>
                {fillIn(text)}
              </span>
            )
          })}
        </code>
      </pre>
    </div>
  )
}

/**
 * Keeps the frame where it is in the window when `choice` changes all code above it too: call the result before the
 * change.
 */
function useKeptPlace(frame: RefObject<HTMLElement | null>, choice: string | null): () => void {
  const top = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (top.current === null || frame.current === null) return
    window.scrollBy({ top: frame.current.getBoundingClientRect().top - top.current, behavior: 'instant' })
    top.current = null
  }, [frame, choice])
  return () => {
    top.current = frame.current?.getBoundingClientRect().top ?? null
  }
}

async function copyCode(code: string): Promise<void> {
  if (await copyText(code)) showToast({ title: 'Copied!', message: 'Code copied to clipboard' })
  else showToast({ title: 'Not copied', message: 'Please select the code and copy it.', kind: 'destructive' })
}
