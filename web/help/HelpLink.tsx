import type { ReactNode } from 'react';
import { useSession } from '../api/session.ts';
import { type HelpTopic, helpAddress, openHelpOnClick } from './help.ts';

interface HelpLinkProps {
  topic?: HelpTopic;
  className?: string | undefined;
  label?: string;
  children: ReactNode;
}

/** A link to a help page that opens beside the current page. */
export function HelpLink({ topic, className, label, children }: HelpLinkProps) {
  const { client_config } = useSession();
  return (
    <a
      href={helpAddress(client_config.helpUrl, topic)}
      className={className}
      aria-label={label}
      data-reload
      onClick={(event) => openHelpOnClick(event, topic)}
    >
      {children}
    </a>
  );
}
