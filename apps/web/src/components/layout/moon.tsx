export function Moon({ size, className }: { size?: number; className?: string }) {
  return (
    <svg className={className} width={size} height={size} viewBox="0 0 64 64" aria-hidden="true" focusable="false">
      <path d="M42 5.500A28 28 0 1 0 59 39 22 22 0 0 1 42 5.500Z" fill="var(--pm-moon)" />
      <path
        d="M24 27q3-3 6 0M26 41q5 3 10-1"
        fill="none"
        stroke="var(--pm-moon-ink)"
        strokeWidth="2.400"
        strokeLinecap="round"
      />
    </svg>
  )
}
