import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { ThemeProvider } from '../theme/ThemeProvider.tsx';
import { Dialog } from './Dialog.tsx';

export interface Question {
  title: string;
  /** Names the thing, and says what else goes with it. */
  content: ReactNode;
  okText?: string;
  cancelText?: string;
  danger?: boolean;
  /** Runs while the dialog waits; a rejection keeps it open. */
  onOk?: () => unknown;
}

/** Screens 1.4: a click beside it closes it, and no button has the focus. Answers whether it was accepted. */
export function confirm({ title, content, okText = 'OK', cancelText = 'Cancel', danger = false, onOk }: Question): Promise<boolean> {
  const holder = document.createElement('div');
  const root = createRoot(holder);
  return new Promise((resolve) => {
    let isAccepted = false;
    const accept = async () => {
      await onOk?.();
      isAccepted = true;
    };
    const settle = () => {
      resolve(isAccepted);
      // Not while React is still at work on the dialog itself.
      setTimeout(() => root.unmount());
    };
    root.render(
      <ThemeProvider>
        <Dialog
          title={title}
          okText={okText}
          cancelText={cancelText}
          danger={danger}
          onOk={accept}
          onClose={settle}
          width={416}
          closesOnMask
        >
          {content}
        </Dialog>
      </ThemeProvider>,
    );
  });
}
