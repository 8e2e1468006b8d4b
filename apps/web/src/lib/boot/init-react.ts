// Keep this file as a separate chunk (see build/first-chunks.ts), so that React initializes in its own task.
import 'react-dom/client'
