// The worksheet: two pages to print, made of what the lesson declares. Pictures and questions on the
// first; on the second the same with their answers.

export function openWorksheet() {}
