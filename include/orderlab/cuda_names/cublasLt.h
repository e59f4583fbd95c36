// cublasLt as far as programs multiply matrices with it: products as those of cublas_v2.h, with a bias or GELU behind
// them. Of layouts, attributes and preferences those are known that are named here; others give
// CUBLAS_STATUS_NOT_SUPPORTED.
#pragma once

#include "cublas_v2.h"

// NOLINTBEGIN(readability-identifier-naming): the names are those of cublasLt
#define ORDERLAB_WHERE const std::source_location& where = std::source_location::current()
typedef cublasContext* cublasLtHandle_t;
inline cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) { return cublasCreate(handle); }
inline cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) { return cublasDestroy(handle); }

enum cublasLtEpilogue_t {
  CUBLASLT_EPILOGUE_DEFAULT = 1,
  CUBLASLT_EPILOGUE_RELU = 2,
  CUBLASLT_EPILOGUE_BIAS = 4,
  CUBLASLT_EPILOGUE_RELU_BIAS = 6,
  CUBLASLT_EPILOGUE_GELU = 32,
  CUBLASLT_EPILOGUE_GELU_BIAS = 36,
  CUBLASLT_EPILOGUE_GELU_AUX = 160,
  CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 164,
  CUBLASLT_EPILOGUE_DGELU = 192,
  CUBLASLT_EPILOGUE_BGRADB = 512
};
enum cublasLtMatmulDescAttributes_t {
  CUBLASLT_MATMUL_DESC_POINTER_MODE = 2,
  CUBLASLT_MATMUL_DESC_TRANSA = 3,
  CUBLASLT_MATMUL_DESC_TRANSB = 4,
  CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
  CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12,
  CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26
};
enum cublasLtMatrixLayoutAttribute_t {
  CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,
  CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6
};
enum cublasLtMatmulPreferenceAttributes_t { CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1 };

struct cublasLtMatmulDescOpaque_t {
  cublasComputeType_t compute;
  cublasOperation_t a = CUBLAS_OP_N;
  cublasOperation_t b = CUBLAS_OP_N;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const void* bias = nullptr;
};
struct cublasLtMatrixLayoutOpaque_t {
  cudaDataType type;
  std::uint64_t rows;
  std::uint64_t columns;
  std::int64_t lead;
  int count = 1;
  std::int64_t step = 0;
};
struct cublasLtMatmulPreferenceOpaque_t {};
struct cublasLtMatmulAlgo_t {};
struct cublasLtMatmulHeuristicResult_t {
  cublasLtMatmulAlgo_t algo;
  std::size_t workspaceSize;
  cublasStatus_t state;
  float wavesCount;
};
typedef cublasLtMatmulDescOpaque_t* cublasLtMatmulDesc_t;
typedef cublasLtMatrixLayoutOpaque_t* cublasLtMatrixLayout_t;
typedef cublasLtMatmulPreferenceOpaque_t* cublasLtMatmulPreference_t;

inline cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* description, cublasComputeType_t compute,
                                               cudaDataType) {
  *description = new cublasLtMatmulDescOpaque_t{compute};
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t description) {
  delete description;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t description,
                                                     cublasLtMatmulDescAttributes_t attribute, const void* value,
                                                     std::size_t bytes) {
  switch (attribute) {
    case CUBLASLT_MATMUL_DESC_TRANSA:
      std::memcpy(&description->a, value, bytes);
      return CUBLAS_STATUS_SUCCESS;
    case CUBLASLT_MATMUL_DESC_TRANSB:
      std::memcpy(&description->b, value, bytes);
      return CUBLAS_STATUS_SUCCESS;
    case CUBLASLT_MATMUL_DESC_EPILOGUE:
      std::memcpy(&description->epilogue, value, bytes);
      return CUBLAS_STATUS_SUCCESS;
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
      std::memcpy(&description->bias, value, bytes);
      return CUBLAS_STATUS_SUCCESS;
    default:
      return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}
inline cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type, std::uint64_t rows,
                                                 std::uint64_t columns, std::int64_t lead) {
  *layout = new cublasLtMatrixLayoutOpaque_t{type, rows, columns, lead};
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  delete layout;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                       cublasLtMatrixLayoutAttribute_t attribute, const void* value,
                                                       std::size_t bytes) {
  if (attribute == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT)
    std::memcpy(&layout->count, value, bytes);
  else
    std::memcpy(&layout->step, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  *preference = new cublasLtMatmulPreferenceOpaque_t;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  delete preference;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t,
                                                           cublasLtMatmulPreferenceAttributes_t, const void*,
                                                           std::size_t) {
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t, cublasLtMatrixLayout_t,
                                                     cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                                     cublasLtMatrixLayout_t, cublasLtMatmulPreference_t, int,
                                                     cublasLtMatmulHeuristicResult_t* results, int* found) {
  *results = {};
  *found = 1;
  return CUBLAS_STATUS_SUCCESS;
}

namespace orderlab::host_program::cublas {

template <class T>
cublasStatus_t finish(const cublasLtMatmulDescOpaque_t& description, T* d, const cublasLtMatrixLayoutOpaque_t& layout,
                      const LibraryCall& call) {
  const auto rows = static_cast<std::ptrdiff_t>(layout.rows);
  const auto lead = static_cast<std::ptrdiff_t>(layout.lead);
  const bool has_relu = (description.epilogue & CUBLASLT_EPILOGUE_RELU) != 0;
  const bool has_gelu = (description.epilogue & CUBLASLT_EPILOGUE_GELU) != 0;
  const T* const bias =
      (description.epilogue & CUBLASLT_EPILOGUE_BIAS) != 0 ? static_cast<const T*>(description.bias) : nullptr;
  return each_item<T>("cublasLtMatmul", static_cast<int>(layout.rows * layout.columns), call, [=](std::ptrdiff_t i) {
    T& result = d[i % rows + i / rows * lead];
    float x = static_cast<float>(result);
    if (bias != nullptr) x += static_cast<float>(bias[i % rows]);
    if (has_relu) x = std::max(x, 0.0F);
    if (has_gelu) x = 0.5F * x * (1 + std::tanh(0.7978845608F * (x + 0.044715F * x * x * x)));
    result = static_cast<T>(x);
  });
}

}  // namespace orderlab::host_program::cublas

inline cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t description, const void* alpha,
                                     const void* a, cublasLtMatrixLayout_t layout_a, const void* b,
                                     cublasLtMatrixLayout_t layout_b, const void* beta, const void* c,
                                     cublasLtMatrixLayout_t, void* d, cublasLtMatrixLayout_t layout_d,
                                     const cublasLtMatmulAlgo_t*, void*, std::size_t, cudaStream_t stream,
                                     ORDERLAB_WHERE) {
  const bool has_gradient = description->epilogue > CUBLASLT_EPILOGUE_GELU_BIAS;
  float scale = 0;
  if (handle->mode == CUBLAS_POINTER_MODE_HOST) std::memcpy(&scale, beta, sizeof scale);
  if (has_gradient || (scale != 0 && c != d)) return CUBLAS_STATUS_NOT_SUPPORTED;
  const auto m = static_cast<int>(layout_d->rows);
  const auto n = static_cast<int>(layout_d->columns);
  const auto k = static_cast<int>(description->a == CUBLAS_OP_N ? layout_a->columns : layout_a->rows);
  cublasContext in_stream = *handle;
  in_stream.stream = stream;
  const cublasStatus_t status = cublasGemmStridedBatchedEx(
      &in_stream, description->a, description->b, m, n, k, alpha, a, layout_a->type, static_cast<int>(layout_a->lead),
      layout_a->step, b, layout_b->type, static_cast<int>(layout_b->lead), layout_b->step, beta, d, layout_d->type,
      static_cast<int>(layout_d->lead), layout_d->step, layout_d->count, description->compute, CUBLAS_GEMM_DEFAULT,
      where);
  if (status != CUBLAS_STATUS_SUCCESS || description->epilogue == CUBLASLT_EPILOGUE_DEFAULT) return status;
  using orderlab::host_program::cublas::finish;
  if (layout_d->type == CUDA_R_32F) return finish(*description, static_cast<float*>(d), *layout_d, {where, stream});
  if (layout_d->type == CUDA_R_16F) return finish(*description, static_cast<__half*>(d), *layout_d, {where, stream});
  if (layout_d->type == CUDA_R_16BF)
    return finish(*description, static_cast<__nv_bfloat16*>(d), *layout_d, {where, stream});
  return CUBLAS_STATUS_NOT_SUPPORTED;
}
#undef ORDERLAB_WHERE
// NOLINTEND(readability-identifier-naming)
