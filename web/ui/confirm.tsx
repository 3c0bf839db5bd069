import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { ThemeProvider } from '../theme/ThemeProvider.tsx';
import { Dialog } from './Dialog.tsx';

/** Shows a dialog from code outside of React; resolves to the given answer, or null. */
export function showDialog<T>(draw: (answer: (value: T) => void, onClose: () => void) => ReactNode): Promise<T | null> {
  const root = createRoot(document.createElement('div'));
  return new Promise((resolve) => {
    let answered: T | null = null;
    const settle = () => {
      resolve(answered);
      // The unmount waits until React has finished with the dialog itself.
      setTimeout(() => root.unmount());
    };
    const answer = (value: T) => {
      answered = value;
    };
    root.render(<ThemeProvider>{draw(answer, settle)}</ThemeProvider>);
  });
}

export interface Question {
  title: string;
  /** Names the object, and says what else is affected. */
  content: ReactNode;
  okText?: string;
  cancelText?: string;
  danger?: boolean;
  /** Runs while the dialog waits; a rejection keeps it open. */
  onOk?: () => unknown;
}

/** Screens 1.4: a click beside it closes it, and no button has the focus. Returns whether it was accepted. */
export async function confirm({ title, content, okText = 'OK', cancelText = 'Cancel', danger = false, onOk }: Question): Promise<boolean> {
  const isAccepted = await showDialog<true>((answer, onClose) => (
    <Dialog
      title={title}
      okText={okText}
      cancelText={cancelText}
      danger={danger}
      onOk={async () => {
        await onOk?.();
        answer(true);
      }}
      onClose={onClose}
      width={416}
      closesOnMask
    >
      {content}
    </Dialog>
  ));
  return isAccepted ?? false;
}
