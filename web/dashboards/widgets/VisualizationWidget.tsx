import ClockCircleOutlined from '@ant-design/icons/ClockCircleOutlined';
import LoadingOutlined from '@ant-design/icons/LoadingOutlined';
import ReloadOutlined from '@ant-design/icons/ReloadOutlined';
import { mappedOf, widgetParameters } from '@telltale/domain/dashboards/parameter-mapping.ts';
import { Button } from 'antd';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { useCan } from '../../api/session.ts';
import { ParameterBar } from '../../queries/parameters/ParameterBar.tsx';
import { addressWith } from '../../queries/parameters/parameterValues.ts';
import { useParameterValues } from '../../queries/parameters/useParameterValues.ts';
import { downloadItems } from '../../queries/results/downloadItems.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { useFilterChoices } from '../../visualizations/filters/useResultFilters.ts';
import { findVisualization } from '../../visualizations/index.ts';
import { useBoard } from '../board.ts';
import { isFollowing } from '../runs/useFollowing.ts';
import { useWidgetRun } from '../runs/useWidgetRun.ts';
import { isBusy, type WidgetRun } from '../runs/WidgetRuns.ts';
import { type ShownVisualization, type ShownWidget, titleOfWidget } from '../shownWidget.ts';
import { ExpandButton } from './ExpandButton.tsx';
import { ExpandedWidget } from './ExpandedWidget.tsx';
import { RunTimer } from './RunTimer.tsx';
import styles from './Widget.module.css';
import { WidgetFrame } from './WidgetFrame.tsx';
import { WidgetHeading } from './WidgetHeading.tsx';
import { WidgetResult } from './WidgetResult.tsx';

interface VisualizationWidgetProps {
  widget: ShownWidget;
  visualization: ShownVisualization;
}

/** Screens 9.4: a visualization of a query's result, with the widget's own parameters. */
export function VisualizationWidget({ widget, visualization }: VisualizationWidgetProps) {
  const { runs, actions, isPublic, isEditing, imposed, appliesAtOnce } = useBoard();
  const can = useCan();
  const { query } = visualization;
  const mapped = useMemo(() => mappedOf(widget), [widget]);
  const own = useMemo(() => widgetParameters(mapped).map((one) => ({ ...one, parentQueryId: query.id })), [mapped, query.id]);
  const state = useParameterValues(own, true, widget.id);
  const untilDrawable = async () => findVisualization(visualization.type)?.preload();
  const { run, values } = useWidgetRun({ id: widget.id, query, mapped, own: state.applied, untilDrawable });
  /** Screens 9.4: the same in its place and expanded. */
  const chosen = useFilterChoices(run.result?.data, { isKept: false, imposed });
  const [isExpanded, setExpanded] = useState(false);

  const title = titleOfWidget(widget);
  const isLive = !isPublic && isFollowing(widget);
  const { parameters } = query.options;
  const address = `/queries/${query.id}${addressWith('', parameters, values)}#${visualization.id}`;
  const isLinked = !isPublic && !isEditing && can('view_query');
  const result = run.result && run.result.data.rows.length > 0 ? run.result : null;
  const files = downloadItems(result, query.id).filter((item) => item?.key !== 'json');
  const menu = isPublic
    ? []
    : [
        ...files,
        ...(can('view_source') ? [{ key: 'query', label: <Link to={sourceOf(address)}>View Query</Link> }] : []),
        ...(actions && parameters.length > 0
          ? [{ key: 'parameters', label: 'Edit Parameters', onClick: () => actions.editParameters(widget) }]
          : []),
        ...(actions && query.reads_devices
          ? [
              {
                key: 'follow',
                label: isLive ? 'Stop following readings' : 'Follow new readings',
                onClick: () => actions.setFollowing(widget, !isLive),
              },
            ]
          : []),
      ];
  return (
    <WidgetFrame
      widget={widget}
      heading={<WidgetHeading title={title} description={query.description} to={isLinked ? address : undefined} />}
      state={isBusy(run) && run.status === 'running' && <Running run={run} />}
      menu={menu}
      footer={
        run.result && (
          <footer className={styles.foot}>
            {isPublic ? (
              <span className={styles.age}>
                <ClockCircleOutlined aria-hidden /> <TimeAgo date={run.result.retrieved_at} />
              </span>
            ) : (
              <Button
                type="text"
                size="small"
                icon={<ReloadOutlined spin={isBusy(run)} />}
                disabled={isBusy(run)}
                onClick={() => runs.refresh(widget.id)}
              >
                <span className="visually-hidden">Refresh {title}, </span>
                <TimeAgo date={run.result.retrieved_at} />
              </Button>
            )}
            {isLive && (
              <span className={styles.live} title="Runs again when devices report, at most once a second">
                Live
              </span>
            )}
            {!isEditing && <ExpandButton title={title} onClick={() => setExpanded(true)} />}
          </footer>
        )
      }
    >
      {own.length > 0 && (
        <div className={styles.parameters} data-no-drag="">
          <ParameterBar parameters={own} queryId={query.id} state={state} isAutomatic={appliesAtOnce} onApply={() => {}} />
        </div>
      )}
      <WidgetResult run={run} visualization={visualization} chosen={chosen} onRetry={() => runs.refresh(widget.id)} />
      {isExpanded && (
        <ExpandedWidget title={title} run={run} visualization={visualization} chosen={chosen} onClose={() => setExpanded(false)} />
      )}
    </WidgetFrame>
  );
}

const sourceOf = (address: string) => address.replace(/^(\/queries\/\d+)/, '$1/source');

function Running({ run }: { run: WidgetRun }) {
  return (
    <Tooltip title={<RunTimer since={run.startedAt} />}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: how long it takes must be reachable by keyboard */}
      <span className={styles.running} tabIndex={0}>
        <LoadingOutlined aria-hidden />
        <span className="visually-hidden">Running</span>
      </span>
    </Tooltip>
  );
}
