// What is wrong is said beside the control that is at fault, which gets the focus: both are in sight on a low screen too.
import { goTo } from "./keys.js";

export function followProblem(problem) {
  const home = document.createComment("problem");
  problem.before(home);

  const clear = () => {
    problem.textContent = "";
    if (problem.previousSibling !== home) home.after(problem);
  };

  const say = (message, control) => {
    clear();
    const legend = control?.matches("[data-question]") ? control : control?.closest("fieldset")?.querySelector("legend");
    if (legend) legend.after(problem);
    else if (control?.matches("textarea")) control.before(problem);
    else if (!control) problem.closest("form").querySelector(".finish")?.prepend(problem); // beside the button, which stays
    problem.textContent = message;
    if (control) goTo(control);
    const button = control ? null : problem.closest("form").querySelector("[type=submit]"); // to be pressed again
    for (const part of [control, problem, button]) part?.scrollIntoView({ block: "nearest", behavior: "instant" });
  };

  return { say, clear };
}
