import { Modal } from 'antd';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import styles from './Dialog.module.css';

export interface DialogProps {
  title: ReactNode;
  children?: ReactNode;
  okText?: ReactNode;
  cancelText?: ReactNode;
  /** Closes when it settles well; while it runs both buttons wait, and a rejection keeps the dialog open (screens 1.4). */
  onOk?: () => unknown;
  /** Asked before it is closed without OK; false keeps it open. Escape is easily pressed by accident, a button is not. */
  mayClose?: (isByEscape: boolean) => boolean | Promise<boolean>;
  /** Called once the dialog is gone, however it was closed: the owner then stops drawing it. */
  onClose: () => void;
  isOkDisabled?: boolean;
  danger?: boolean;
  width?: number | string;
  /** As large as the window: for what is edited beside its preview. */
  isFullScreen?: boolean;
  /** A click beside the dialog closes it; not where typed text would be lost. */
  closesOnMask?: boolean;
  /** The OK button submits this form, which does the work of `onOk`. */
  formId?: string;
  /** For work that the caller runs, as a form does. */
  isBusy?: boolean;
  /** False where the caller closes by itself. */
  isOpen?: boolean;
  /** No buttons of its own. */
  hasFooter?: boolean;
  /** Only one button: there is nothing to decide. */
  hasCancel?: boolean;
  /** Left of the buttons, such as a count. */
  note?: ReactNode;
}

export function Dialog(props: DialogProps) {
  const { title, children, onOk, onClose, isOkDisabled = false, danger = false, formId } = props;
  const [isShown, setShown] = useState(true);
  const [isRunning, setRunning] = useState(false);
  const isBusy = isRunning || (props.isBusy ?? false);
  const content = useRef<HTMLElement | null>(null);
  const hold = useCallback((element: HTMLElement | null) => {
    content.current = element;
    takeFocus(element);
  }, []);

  const isAsking = useRef(false);
  const close = async (isByEscape: boolean) => {
    if (isBusy || isAsking.current) return;
    isAsking.current = true;
    const isFree = (await props.mayClose?.(isByEscape)) ?? true;
    isAsking.current = false;
    if (isFree) setShown(false);
  };
  const accept = async () => {
    setRunning(true);
    try {
      await onOk?.();
      setShown(false);
    } catch {
      // Whoever does the work tells why it failed; the dialog stays for another try.
    } finally {
      setRunning(false);
    }
  };

  return (
    <Modal
      title={title}
      open={isShown && (props.isOpen ?? true)}
      width={props.width ?? 520}
      styles={{ body: { paddingBlock: 8 } }}
      {...(props.isFullScreen && fullScreen)}
      onCancel={(event) => void close('key' in event)}
      afterClose={onClose}
      // Without motion the first time comes too early: what is drawn is not in the page yet.
      afterOpenChange={(isOpen) => isOpen && takeFocus(content.current)}
      mask={{ closable: props.closesOnMask ?? false }}
      keyboard={!isBusy}
      closable={!isBusy}
      okText={props.okText ?? 'OK'}
      cancelText={props.cancelText ?? 'Cancel'}
      confirmLoading={isBusy}
      okButtonProps={{ danger, disabled: isOkDisabled || isBusy, ...(formId && { htmlType: 'submit', form: formId }) }}
      cancelButtonProps={{ disabled: isBusy }}
      {...(!formId && { onOk: accept })}
      {...(props.hasFooter === false && { footer: null })}
      {...footerWith(props)}
    >
      <div ref={hold} className={props.isFullScreen ? styles.full : styles.content} tabIndex={-1}>
        {children}
      </div>
    </Modal>
  );
}

const fullScreen = {
  width: '100%',
  style: { top: 0, maxWidth: '100%', margin: 0, padding: 0 },
  styles: {
    container: { display: 'flex', flexDirection: 'column', height: '100dvh', borderRadius: 0 },
    body: { flex: '1 1 auto', minHeight: 0, overflow: 'auto', paddingBlock: 8 },
    // Notices stand bottom right, and would lie over the buttons.
    footer: { textAlign: 'start' },
  },
} as const;

/** Screens 1.4: no button has the focus at first, but what can be typed into. */
function takeFocus(content: HTMLElement | null): void {
  if (!content || content.contains(document.activeElement)) return;
  const field = content.querySelector<HTMLElement>('input:not(:read-only, [type="checkbox"], [type="radio"]), textarea:not(:read-only)');
  (field ?? content).focus({ preventScroll: true });
}

function footerWith({ note, hasCancel = true, hasFooter = true }: DialogProps) {
  if (!hasFooter || (!note && hasCancel)) return {};
  return {
    footer: (_: ReactNode, { OkBtn, CancelBtn }: { OkBtn: React.FC; CancelBtn: React.FC }) => (
      <>
        {note}
        {hasCancel && <CancelBtn />}
        <OkBtn />
      </>
    ),
  };
}
