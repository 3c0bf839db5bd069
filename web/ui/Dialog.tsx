import { Modal } from 'antd';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import styles from './Dialog.module.css';

export interface DialogProps {
  title: ReactNode;
  children?: ReactNode;
  okText?: ReactNode;
  cancelText?: ReactNode;
  /** Closes when it resolves; while it runs both buttons wait, and a rejection keeps the dialog open (screens 1.4). */
  onOk?: () => unknown;
  /** Called before closing without OK; false keeps it open. Escape is easily pressed by accident, a button is not. */
  mayClose?: (isByEscape: boolean) => boolean | Promise<boolean>;
  /** Called once the dialog has closed, however that happened: the owner then stops rendering it. */
  onClose: () => void;
  isOkDisabled?: boolean;
  danger?: boolean;
  width?: number | string;
  /** Fills the window: for editing beside a preview. */
  isFullScreen?: boolean;
  /** A click beside the dialog closes it; not for dialogs with typed text. */
  closesOnMask?: boolean;
  /** The OK button submits this form, which does the work of `onOk`. */
  formId?: string;
  /** Work of the caller, such as a form's, is under way. */
  isBusy?: boolean;
  /** False where the caller controls the closing. */
  isOpen?: boolean;
  /** False for a dialog without buttons of its own. */
  hasFooter?: boolean;
  /** False for a dialog with a single button. */
  hasCancel?: boolean;
  /** Content left of the buttons, such as a count. */
  note?: ReactNode;
}

export function Dialog(props: DialogProps) {
  const { title, children, onOk, onClose, isOkDisabled = false, danger = false, formId } = props;
  const [isShown, setShown] = useState(true);
  const [openers] = useState(openersNow);
  const [isRunning, setRunning] = useState(false);
  const isBusy = isRunning || (props.isBusy ?? false);
  const content = useRef<HTMLElement | null>(null);
  const hold = useCallback(
    (element: HTMLElement | null) => {
      content.current = element;
      const dialog = dialogOf(element);
      if (dialog) openersByDialog.set(dialog, openers);
      takeFocus(element);
    },
    [openers],
  );

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
      // The work itself notifies of its failure; the dialog stays for another try.
    } finally {
      setRunning(false);
    }
  };

  return (
    <Modal
      title={title}
      open={isShown && (props.isOpen ?? true)}
      width={props.width ?? 520}
      // A long title ends before the close button.
      styles={{ body: { paddingBlock: 8 }, header: { paddingInlineEnd: 24 } }}
      {...(props.isFullScreen && fullScreen)}
      onCancel={(event) => void close('key' in event)}
      afterClose={() => {
        giveFocusBack(openers);
        onClose();
      }}
      // Without motion the first call comes too early: the content is not in the page yet.
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
    // Notices are at the bottom right, and would cover the buttons.
    footer: { textAlign: 'start' },
  },
} as const;

/** Screens 1.4: the first input gets the focus, not a button. */
function takeFocus(content: HTMLElement | null): void {
  if (!content || content.contains(document.activeElement)) return;
  const field = content.querySelector<HTMLElement>('input:not(:read-only, [type="checkbox"], [type="radio"]), textarea:not(:read-only)');
  (field ?? content).focus({ preventScroll: true });
}

const dialogOf = (element: Element | null) => element?.closest('.ant-modal-wrap') ?? null;
const openersByDialog = new WeakMap<Element, readonly Element[]>();

/**
 * The element that has the focus now and, where that is in a dialog, those that opened the dialog: one that takes the place of another, such
 * as the content of its loading state, gives the focus back to where the first one was opened.
 */
function openersNow(): readonly Element[] {
  const focused = document.activeElement;
  const dialog = dialogOf(focused);
  return [...(focused ? [focused] : []), ...((dialog && openersByDialog.get(dialog)) ?? [])];
}

/** Without motion the library notices the focus only after we have moved it into the dialog, and could not restore it. */
function giveFocusBack(openers: readonly Element[]): void {
  const now = document.activeElement;
  const isLost = !now || now === document.body || dialogOf(now) !== null;
  const opener = openers.find((element) => element.isConnected);
  if (isLost && opener instanceof HTMLElement) opener.focus({ preventScroll: true });
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
