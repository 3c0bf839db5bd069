-- Complaint 13: the place of a visualization among the tabs of its query. Null until somebody orders them: then, and when it was made
-- later, it comes after the others by its id.
alter table console.visualizations add column position integer;
