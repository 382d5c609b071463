// Texts of Python objects for keys and messages, whatever is in them.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

namespace dicezero {

// UTF-8, with half characters (lone surrogates, which have none) as what they would be: distinct texts stay
// distinct.
inline std::string text_of(nanobind::str text) {
  const nanobind::object bytes =
      nanobind::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogatepass"));
  if (!bytes.is_valid()) throw nanobind::python_error();
  return {PyBytes_AsString(bytes.ptr()), static_cast<std::size_t>(PyBytes_Size(bytes.ptr()))};
}

// The Python text that `text_of` was given.
inline nanobind::object object_of(const std::string& text) {
  PyObject* made = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogatepass");
  if (made == nullptr) throw nanobind::python_error();
  return nanobind::steal(made);
}

}  // namespace dicezero
