export { commentResource } from "./comments/resource.ts";
export { milestoneResource } from "./milestones/resource.ts";
export { sprintResource } from "./sprints/resource.ts";
export { workItemResource } from "./work-items/resource.ts";
