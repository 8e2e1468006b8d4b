import { createFileRoute } from '@tanstack/react-router'
import { DocsScreen } from '../features/docs/docs-screen.tsx'

export const Route = createFileRoute('/docs')({ component: DocsScreen })
