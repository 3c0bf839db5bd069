import { visualizationsApi } from '@telltale/domain/visualizations/contract.ts';
import type { Http } from '../platform/http/http.ts';
import { createVisualization, getVisualization, orderVisualizations, removeVisualization, saveVisualization } from './visualizations.ts';

export function visualizationRoutes(http: Http): void {
  http.on(visualizationsApi.create, (ctx, { body }) => createVisualization(ctx, body));
  http.on(visualizationsApi.get, (ctx, { params }) => getVisualization(ctx, params.id));
  http.on(visualizationsApi.save, (ctx, { params, body }) => saveVisualization(ctx, params.id, body));
  http.on(visualizationsApi.order, (ctx, { params, body }) => orderVisualizations(ctx, params.id, body.ids));
  http.on(visualizationsApi.remove, (ctx, { params }) => removeVisualization(ctx, params.id));
}
