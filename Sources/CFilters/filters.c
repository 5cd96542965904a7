#include "cfilters.h"

#include <dlfcn.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavutil/channel_layout.h>
#include <libavutil/dict.h>
#include <libavutil/error.h>
#include <libavutil/frame.h>
#include <libavutil/log.h>
#include <libavutil/pixdesc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// MARK: The library

#define TEXT(number) #number
#define NUMBER(macro) TEXT(macro)

// The converters' bit-exact paths: the same numbers on every machine.
#define CONVERTER "flags=bicubic+accurate_rnd+bitexact"

static struct {
  AVFilterGraph *(*graph_alloc)(void);
  void (*graph_free)(AVFilterGraph **);
  int (*graph_parse2)(AVFilterGraph *, const char *, AVFilterInOut **, AVFilterInOut **);
  int (*graph_config)(AVFilterGraph *, void *);
  AVFilterContext *(*graph_get_filter)(AVFilterGraph *, const char *);
  void (*inout_free)(AVFilterInOut **);
  int (*add_frame)(AVFilterContext *, AVFrame *, int);
  int (*get_frame)(AVFilterContext *, AVFrame *);
} lib;

static int is_open;
static pthread_once_t once = PTHREAD_ONCE_INIT;

const char *cfl_library(void) {
  const char *other = getenv("CAMREC_FILTER_LIBRARY");
  return other && *other ? other : "libavfilter.so." NUMBER(LIBAVFILTER_VERSION_MAJOR);
}

static void open_library(void) {
  // FFmpeg's libraries print by themselves; what matters comes as an error.
  av_log_set_level(AV_LOG_QUIET);
  void *handle = dlopen(cfl_library(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) return;
  *(void **)&lib.graph_alloc = dlsym(handle, "avfilter_graph_alloc");
  *(void **)&lib.graph_free = dlsym(handle, "avfilter_graph_free");
  *(void **)&lib.graph_parse2 = dlsym(handle, "avfilter_graph_parse2");
  *(void **)&lib.graph_config = dlsym(handle, "avfilter_graph_config");
  *(void **)&lib.graph_get_filter = dlsym(handle, "avfilter_graph_get_filter");
  *(void **)&lib.inout_free = dlsym(handle, "avfilter_inout_free");
  *(void **)&lib.add_frame = dlsym(handle, "av_buffersrc_add_frame_flags");
  *(void **)&lib.get_frame = dlsym(handle, "av_buffersink_get_frame");
  is_open = lib.graph_alloc && lib.graph_free && lib.graph_parse2 && lib.graph_config && lib.graph_get_filter &&
            lib.inout_free && lib.add_frame && lib.get_frame;
}

void cfl_describe(int error, char *text, size_t size) {
  if (error == CFL_NO_LIBRARY) snprintf(text, size, "%s cannot be opened", cfl_library());
  else av_strerror(error, text, size);
}

// The graph that `description` says; every pad of it is connected.
static int make_graph(AVFilterGraph **graph, const char *description) {
  pthread_once(&once, open_library);
  if (!is_open) return CFL_NO_LIBRARY;
  *graph = lib.graph_alloc();
  if (!*graph) return AVERROR(ENOMEM);
  // One thread: the same numbers on every machine.
  (*graph)->nb_threads = 1;
  (*graph)->scale_sws_opts = av_strdup(CONVERTER);
  AVFilterInOut *inputs = NULL, *outputs = NULL;
  int error = lib.graph_parse2(*graph, description, &inputs, &outputs);
  lib.inout_free(&inputs);
  lib.inout_free(&outputs);
  return error < 0 ? error : lib.graph_config(*graph, NULL);
}

static double number(const AVFrame *frame, const char *key) {
  const AVDictionaryEntry *entry = av_dict_get(frame->metadata, key, NULL, 0);
  return entry ? strtod(entry->value, NULL) : 0.0 / 0.0;
}

// MARK: psnr and ssim

struct cfl_similarity {
  AVFilterGraph *graph;
  AVFilterContext *sources[2], *sink;
  AVFrame *given, *measured;
  enum AVPixelFormat formats[2];
  int width, height;
  int64_t count;
};

int cfl_similarity_open(
    cfl_similarity **made, int width, int height, const char *reference, int reference_full, const char *other,
    int other_full) {
  cfl_similarity *similarity = calloc(1, sizeof *similarity);
  *made = similarity;
  if (!similarity) return AVERROR(ENOMEM);
  similarity->width = width;
  similarity->height = height;
  similarity->formats[0] = av_get_pix_fmt(reference);
  similarity->formats[1] = av_get_pix_fmt(other);
  similarity->given = av_frame_alloc();
  similarity->measured = av_frame_alloc();
  if (!similarity->given || !similarity->measured) return AVERROR(ENOMEM);
  // Planar, as the filters take it; and the other one brought to the reference's depth and chroma.
  char planar[32];
  const AVPixFmtDescriptor *shape = av_pix_fmt_desc_get(similarity->formats[0]);
  const AVPixFmtDescriptor *second = av_pix_fmt_desc_get(similarity->formats[1]);
  if (!shape || !second) return AVERROR(EINVAL);
  const char *chroma = shape->log2_chroma_w == 0 ? "444" : shape->log2_chroma_h ? "420" : "422";
  snprintf(planar, sizeof planar, "yuv%sp%s", chroma, shape->comp[0].depth > 8 ? "10le" : "");
  // Another range is brought to the reference's in the same step. Later versions of FFmpeg would convert once more if
  // one picture had a tag and the other none.
  const char *to = reference_full ? "full" : "limited", *from = other_full ? "full" : "limited", *untagged = "";
  char scale[128] = "";
  // Between depths, FFmpeg's own conversion takes full range for limited.
  if (reference_full != other_full || (reference_full && second->comp[0].depth != shape->comp[0].depth)) {
    snprintf(scale, sizeof scale, "scale=in_range=%s:out_range=%s:" CONVERTER ",", from, to);
    untagged = ",setparams=range=unknown";
  }
  char description[1024];
  snprintf(
      description, sizeof description,
      "buffer@reference=video_size=%dx%d:pix_fmt=%s:time_base=1/1,format=%s,split[r1][r2];"
      "buffer@other=video_size=%dx%d:pix_fmt=%s:time_base=1/1,%sformat=%s%s[o];"
      "[o][r1]psnr[p];[p][r2]ssim,buffersink@sink",
      width, height, reference, planar, width, height, other, scale, planar, untagged);
  int error = make_graph(&similarity->graph, description);
  if (error < 0) return error;
  similarity->sources[0] = lib.graph_get_filter(similarity->graph, "buffer@reference");
  similarity->sources[1] = lib.graph_get_filter(similarity->graph, "buffer@other");
  similarity->sink = lib.graph_get_filter(similarity->graph, "buffersink@sink");
  return similarity->sources[0] && similarity->sources[1] && similarity->sink ? 0 : AVERROR_FILTER_NOT_FOUND;
}

// The filters get a copy.
static int give(cfl_similarity *similarity, int index, const cfl_picture *picture) {
  AVFrame *frame = similarity->given;
  frame->format = similarity->formats[index];
  frame->width = similarity->width;
  frame->height = similarity->height;
  frame->pts = similarity->count;
  for (int plane = 0; plane < 3; plane++) {
    frame->data[plane] = (uint8_t *)picture->planes[plane];
    frame->linesize[plane] = picture->strides[plane];
  }
  int error = lib.add_frame(similarity->sources[index], frame, AV_BUFFERSRC_FLAG_KEEP_REF | AV_BUFFERSRC_FLAG_PUSH);
  memset(frame->data, 0, sizeof frame->data);
  return error;
}

int cfl_similarity_measure(
    cfl_similarity *similarity, const cfl_picture *reference, const cfl_picture *other, double *psnr, double *ssim) {
  int error = give(similarity, 0, reference);
  if (error >= 0) error = give(similarity, 1, other);
  if (error >= 0) error = lib.get_frame(similarity->sink, similarity->measured);
  if (error < 0) return error;
  *psnr = number(similarity->measured, "lavfi.psnr.psnr_avg");
  *ssim = number(similarity->measured, "lavfi.ssim.All");
  av_frame_unref(similarity->measured);
  similarity->count++;
  return 0;
}

void cfl_similarity_close(cfl_similarity *similarity) {
  if (!similarity) return;
  if (similarity->graph) lib.graph_free(&similarity->graph);
  av_frame_free(&similarity->given);
  av_frame_free(&similarity->measured);
  free(similarity);
}

// MARK: Loudness

struct cfl_loudness {
  AVFilterGraph *graph;
  AVFilterContext *source, *sink;
  AVFrame *given, *measured;
  int rate, channels, bits;
  int64_t count;
  double integrated;
};

int cfl_loudness_open(cfl_loudness **made, int rate, int channels, int bits) {
  cfl_loudness *loudness = calloc(1, sizeof *loudness);
  *made = loudness;
  if (!loudness) return AVERROR(ENOMEM);
  loudness->rate = rate;
  loudness->channels = channels;
  loudness->bits = bits;
  loudness->integrated = -70;
  loudness->given = av_frame_alloc();
  loudness->measured = av_frame_alloc();
  if (!loudness->given || !loudness->measured) return AVERROR(ENOMEM);
  char description[256];
  snprintf(
      description, sizeof description,
      "abuffer@source=sample_rate=%d:sample_fmt=%s:channel_layout=%dc:time_base=1/%d,"
      "ebur128=metadata=1,abuffersink@sink",
      rate, bits == 32 ? "s32" : "s16", channels, rate);
  int error = make_graph(&loudness->graph, description);
  if (error < 0) return error;
  loudness->source = lib.graph_get_filter(loudness->graph, "abuffer@source");
  loudness->sink = lib.graph_get_filter(loudness->graph, "abuffersink@sink");
  return loudness->source && loudness->sink ? 0 : AVERROR_FILTER_NOT_FOUND;
}

static int take(cfl_loudness *loudness) {
  int error;
  while ((error = lib.get_frame(loudness->sink, loudness->measured)) >= 0) {
    double integrated = number(loudness->measured, "lavfi.r128.I");
    if (integrated == integrated) loudness->integrated = integrated;
    av_frame_unref(loudness->measured);
  }
  return error == AVERROR(EAGAIN) || error == AVERROR_EOF ? 0 : error;
}

int cfl_loudness_add(cfl_loudness *loudness, const void *samples, int count) {
  AVFrame *frame = loudness->given;
  frame->format = loudness->bits == 32 ? AV_SAMPLE_FMT_S32 : AV_SAMPLE_FMT_S16;
  frame->sample_rate = loudness->rate;
  frame->nb_samples = count;
  frame->pts = loudness->count;
  av_channel_layout_default(&frame->ch_layout, loudness->channels);
  int error = av_frame_get_buffer(frame, 0);
  if (error >= 0) {
    memcpy(frame->data[0], samples, (size_t)count * loudness->channels * (loudness->bits / 8));
    error = lib.add_frame(loudness->source, frame, AV_BUFFERSRC_FLAG_PUSH);
  }
  av_frame_unref(frame);
  loudness->count += count;
  return error < 0 ? error : take(loudness);
}

int cfl_loudness_integrated(cfl_loudness *loudness, double *lufs) {
  int error = lib.add_frame(loudness->source, NULL, 0);
  if (error >= 0) error = take(loudness);
  *lufs = loudness->integrated;
  return error < 0 ? error : 0;
}

void cfl_loudness_close(cfl_loudness *loudness) {
  if (!loudness) return;
  if (loudness->graph) lib.graph_free(&loudness->graph);
  av_frame_free(&loudness->given);
  av_frame_free(&loudness->measured);
  free(loudness);
}
