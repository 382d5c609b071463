// Values between Python and the core, whatever is in them.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <stdexcept>
#include <string>

#include "rules/foreign_text.h"

namespace dicezero {

// A Python text as UTF-8. Half of a character (a lone surrogate, which is how Python holds a stray byte of a
// command line) has none.
inline std::string utf8_text(nanobind::str text) {
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (data == nullptr) {
    PyErr_Clear();
    throw std::invalid_argument(text_of(nanobind::repr(text)) +
                                " has half of a character in it; give whole Unicode text");
  }
  return {data, static_cast<std::size_t>(size)};
}

// A whole number that fits; none for anything else. An array has the slot for it and refuses when asked,
// unless it holds one whole number.
inline std::optional<int> whole_number(nanobind::handle value) {
  if (PyBool_Check(value.ptr()) || !PyIndex_Check(value.ptr())) return std::nullopt;
  const nanobind::object whole = nanobind::steal(PyNumber_Index(value.ptr()));
  int number = 0;
  if (whole.is_valid() && nanobind::try_cast(whole, number)) return number;
  PyErr_Clear();
  return std::nullopt;
}

// std::invalid_argument as ValueError, as nanobind does it, but for messages that are not quite UTF-8: they
// quote what they refuse, by the byte.
inline void register_texts_of_errors() {
  nanobind::register_exception_translator([](const std::exception_ptr& error, void*) {
    try {
      std::rethrow_exception(error);
    } catch (const std::invalid_argument& refused) {
      const std::string what = refused.what();
      PyObject* text = PyUnicode_DecodeUTF8(what.data(), static_cast<Py_ssize_t>(what.size()), "replace");
      if (text == nullptr) return;
      PyErr_SetObject(PyExc_ValueError, text);
      Py_DECREF(text);
    }
  });
}

}  // namespace dicezero
