import '@mantine/core/styles/Input.css'
import { TextInput, type TextInputProps } from '@mantine/core'
import form from './form.module.css'

export function TextField(props: TextInputProps) {
  return (
    <TextInput
      size="md"
      withAsterisk={false}
      classNames={{ input: form.input, label: form.label, description: 'dim' }}
      {...props}
    />
  )
}
